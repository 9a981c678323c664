import { Buffer } from "node:buffer";
import {
  compareJson,
  compareTexts,
  type CompareValuesOptions,
  type ValueDifference,
} from "./compare_values.ts";
import { joined, type NotebookOutput } from "./notebook_file.ts";

// Progress of a load, or what it leaves when it ends: a replay shows none.
const PROGRESS = /^(<progress [^>]*><\/progress> )?<small>[^<]*<\/small>$/;
// Times of receipt differ in a restored study, although its numbers are the same.
const RECEIVED = "retrieved_at";
const PICTURE = /^image\//;
const JSON_TYPE = /[/+]json$/;
const PNG_SIZE_AT = 16;

const SILENT: ReadonlySet<string> = new Set(["style", "script"]);

/**
 * The first difference between the committed and the present outputs of a cell. Numbers are compared within a tolerance,
 * tables cell by cell, charts by structure and data, pictures by presence and size.
 */
export function compareOutputs(
  expected: readonly NotebookOutput[],
  found: readonly NotebookOutput[],
  options: CompareValuesOptions,
): ValueDifference | null {
  const [before, after] = [merged(expected), merged(found)];
  if (before.length !== after.length) {
    const counts = { expected: kindsOf(before), found: kindsOf(after) };
    const failed = after.some(({ error }) => error !== null);
    return { where: "number of outputs", ...counts, ...failed && { isFailure: true } };
  }
  for (const [i, output] of before.entries()) {
    const difference = compareOutput(output, after[i]!, options);
    if (difference !== null) {
      return { ...difference, where: `output ${i + 1}, ${difference.where}` };
    }
  }
  return null;
}

interface PlainOutput {
  readonly error: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

// The kernel reports an empty result after an explicit display, and a stream may arrive in any number of parts.
function merged(outputs: readonly NotebookOutput[]): readonly PlainOutput[] {
  const plain: PlainOutput[] = [];
  let stream: { error: null; data: { "text/plain": string } } | null = null;
  for (const output of outputs) {
    if (output.output_type === "stream") {
      if (stream === null) plain.push(stream = { error: null, data: { "text/plain": "" } });
      stream.data["text/plain"] += joined(output.text);
    } else if (output.output_type === "error") {
      plain.push({ error: `${output.ename}: ${output.evalue}`, data: {} });
      stream = null;
    } else if (hasContent(output)) {
      plain.push({ error: null, data: output.data! });
      stream = null;
    }
  }
  return plain;
}

function hasContent({ data = {} }: NotebookOutput): boolean {
  const isEmpty = Object.values(data).every((value) => [value].flat().join("") === "");
  return !isEmpty && !PROGRESS.test(joined(data["text/html"]));
}

function kindsOf(outputs: readonly PlainOutput[]): string {
  const kinds = outputs.map(({ error, data }) => error ?? Object.keys(data).join(" and "));
  return `${outputs.length} (${kinds.join(", ") || "none"})`;
}

function compareOutput(expected: PlainOutput, found: PlainOutput, options: CompareValuesOptions) {
  const failed = compareTexts(expected.error ?? "", found.error ?? "", options, "error");
  if (failed !== null) return { ...failed, isFailure: true };
  const types = new Set([...Object.keys(expected.data), ...Object.keys(found.data)]);
  for (const type of [...types].sort()) {
    const [before, after] = [expected.data[type], found.data[type]];
    if (before === undefined) return { where: type, expected: "nothing", found: "there" };
    if (after === undefined) return { where: type, expected: "there", found: "nothing" };
    const difference = compareContent(type, before, after, options);
    if (difference !== null) return difference;
  }
  return null;
}

function compareContent(
  type: string,
  before: unknown,
  after: unknown,
  options: CompareValuesOptions,
): ValueDifference | null {
  if (JSON_TYPE.test(type)) return compareJson(before, after, options, `${type} $`);
  const [a, b] = [joined(before), joined(after)];
  // A drawing in SVG is text: its numbers are compared as those of any other.
  if (PICTURE.test(type) && type !== "image/svg+xml") return comparePictures(type, a, b, options);
  return type === "text/html" ? compareHtml(a, b, options) : compareTexts(a, b, options, type);
}

function comparePictures(
  type: string,
  before: string,
  after: string,
  { tally }: CompareValuesOptions,
): ValueDifference | null {
  const [expected, found] = [pictureSize(type, before), pictureSize(type, after)];
  if (expected !== found) return { where: type, expected, found };
  // The Base64 text of a picture may be split into lines.
  if (tally !== undefined && before.replaceAll(/\s/g, "") !== after.replaceAll(/\s/g, "")) {
    tally.pictures++;
  }
  return null;
}

// The display of a study contains its mode.
const MODES: ReadonlySet<string> = new Set(["auto", "frozen", "update"]);

// Pixels depend on the fonts of the machine; the size depends on the chart alone.
function pictureSize(type: string, text: string): string {
  if (type !== "image/png") return text === "" ? "nothing" : "a picture";
  const png = Buffer.from(text, "base64");
  if (png.length < PNG_SIZE_AT + 8) return "no picture";
  return `${png.readUInt32BE(PNG_SIZE_AT)} × ${png.readUInt32BE(PNG_SIZE_AT + 4)} pixels`;
}

function compareHtml(before: string, after: string, options: CompareValuesOptions) {
  const [a, b] = [htmlCells(before), htmlCells(after)];
  const [expected, found] = [a.rows, b.rows];
  if (expected.length !== found.length) {
    return { where: "table", expected: `${expected.length} rows`, found: `${found.length} rows` };
  }
  for (const [row, cells] of expected.entries()) {
    for (const column of Array(Math.max(cells.length, found[row]!.length)).keys()) {
      if (cells[0] === RECEIVED || expected[0]![column] === RECEIVED) continue;
      const where = `table row ${row + 1}, column ${column + 1}`;
      const [one, other] = [cells[column] ?? "", found[row]![column] ?? ""];
      if (cells[0] === "mode" && MODES.has(one) && MODES.has(other)) continue;
      const difference = compareTexts(one, other, options, where);
      if (difference !== null) return difference;
    }
  }
  return compareTexts(a.rest, b.rest, options, "html");
}

/** Reads an HTML text in a single pass, so that no untrusted text makes it slow. */
export function htmlCells(
  html: string,
): { readonly rows: readonly (readonly string[])[]; readonly rest: string } {
  const rows: string[][] = [];
  let row: string[] | null = null;
  let cell: string[] | null = null;
  const rest: string[] = [];
  let silent: string | null = null;
  for (const { text, tag } of piecesOf(html)) {
    if (silent === null) (cell ?? (row === null ? rest : [])).push(text);
    const name = tag.replace("/", "");
    if (silent !== null) silent = tag === `/${silent}` ? null : silent;
    else if (SILENT.has(tag)) silent = tag;
    else if (tag === "tr") rows.push(row = []);
    else if (tag === "/tr" || tag === "/table") row = null;
    if (tag === "td" || tag === "th") cell = [];
    else if ((name === "td" || name === "th") && cell !== null) {
      row?.push(cell.join(" ").trim());
      cell = null;
    }
  }
  return { rows, rest: rest.join(" ").trim() };
}

function* piecesOf(html: string): Generator<{ readonly text: string; readonly tag: string }> {
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    const end = start === -1 ? -1 : html.indexOf(">", start);
    if (end === -1) return yield { text: html.slice(at), tag: "" };
    const tag = /^\/?[a-z][a-z0-9]*/i.exec(html.slice(start + 1, start + 20))?.[0] ?? "";
    yield { text: html.slice(at, start), tag: tag.toLowerCase() };
    at = end + 1;
  }
}
