import { Buffer } from "node:buffer";
import {
  compareJson,
  compareTexts,
  type CompareValuesOptions,
  type ValueDifference,
} from "./compare_values.ts";
import { joined, type NotebookOutput } from "./notebook_file.ts";

const CELL = /<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/gi;
const ROW = /<tr[^>]*>([\s\S]*?)<\/tr>/gi;
// What a load shows while it runs: a replay has nothing to wait for.
const PROGRESS = /^(<progress [^>]*><\/progress> )?<small>[^<]*<\/small>$/;
// When something was received is another time in a study that was restored, whose numbers are the same.
const RECEIVED = "retrieved_at";
const PICTURE = /^image\//;
const JSON_TYPE = /[/+]json$/;
const PNG_SIZE_AT = 16;

/**
 * The first difference between the outputs that a cell was committed with and those that it shows now, each compared by what
 * it is: numbers within a tolerance, tables cell by cell, charts by structure and data, pictures by presence and size.
 */
export function compareOutputs(
  expected: readonly NotebookOutput[],
  found: readonly NotebookOutput[],
  options: CompareValuesOptions,
): ValueDifference | null {
  const [before, after] = [merged(expected), merged(found)];
  if (before.length !== after.length) {
    const [a, b] = [before, after].map((outputs) => `${outputs.length} (${kindsOf(outputs)})`);
    return { where: "number of outputs", expected: a!, found: b! };
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

// The kernel says of what was displayed already that nothing is left to show; a stream arrives in any number of parts.
function merged(outputs: readonly NotebookOutput[]): readonly PlainOutput[] {
  const plain: PlainOutput[] = [];
  let stream: string | null = null;
  const endStream = () => {
    if (stream !== null) plain.push({ error: null, data: { "text/plain": stream } });
    stream = null;
  };
  for (const output of outputs) {
    if (output.output_type === "stream") {
      stream = (stream ?? "") + joined(output.text);
      continue;
    }
    if (output.output_type === "error") {
      endStream();
      plain.push({ error: `${output.ename}: ${output.evalue}`, data: {} });
    } else if (hasContent(output)) {
      endStream();
      plain.push({ error: null, data: output.data! });
    }
  }
  endStream();
  return plain;
}

function hasContent({ data = {} }: NotebookOutput): boolean {
  return Object.keys(data).length > 0 && !PROGRESS.test(joined(data["text/html"]));
}

function kindsOf(outputs: readonly PlainOutput[]): string {
  const kinds = outputs.map(({ error, data }) => error ?? Object.keys(data).join(" and "));
  return kinds.join(", ") || "none";
}

function compareOutput(
  expected: PlainOutput,
  found: PlainOutput,
  options: CompareValuesOptions,
): ValueDifference | null {
  const failed = compareTexts(expected.error ?? "", found.error ?? "", options, "error");
  if (failed !== null) return failed;
  const types = new Set([...Object.keys(expected.data), ...Object.keys(found.data)]);
  for (const type of [...types].sort()) {
    const [before, after] = [expected.data[type], found.data[type]];
    if (before === undefined || after === undefined) {
      const [a, b] = [before, after].map((value) => value === undefined ? "nothing" : "there");
      return { where: type, expected: a!, found: b! };
    }
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
  if (PICTURE.test(type)) return comparePictures(type, a, b);
  return type === "text/html" ? compareHtml(a, b, options) : compareTexts(a, b, options, type);
}

function comparePictures(type: string, before: string, after: string): ValueDifference | null {
  const [expected, found] = [before, after].map((text) => pictureSize(type, text)) as [
    string,
    string,
  ];
  return expected === found ? null : { where: type, expected, found };
}

// Pixels differ with the fonts of a machine; the size is the chart's own.
function pictureSize(type: string, text: string): string {
  if (type !== "image/png") return text === "" ? "nothing" : "a picture";
  const png = Buffer.from(text, "base64");
  if (png.length < PNG_SIZE_AT + 8) return "no picture";
  return `${png.readUInt32BE(PNG_SIZE_AT)} × ${png.readUInt32BE(PNG_SIZE_AT + 4)} pixels`;
}

function compareHtml(
  before: string,
  after: string,
  options: CompareValuesOptions,
): ValueDifference | null {
  const [expected, found] = [before, after].map(tableCells) as [Cells, Cells];
  if (expected.length !== found.length) {
    const [a, b] = [expected, found].map((rows) => `${rows.length} rows`);
    return { where: "table", expected: a!, found: b! };
  }
  for (const [row, cells] of expected.entries()) {
    for (const column of Array(Math.max(cells.length, found[row]!.length)).keys()) {
      if (cells[0] === RECEIVED || expected[0]![column] === RECEIVED) continue;
      const where = `table row ${row + 1}, column ${column + 1}`;
      const [a, b] = [cells[column] ?? "", found[row]![column] ?? ""];
      const difference = compareTexts(a, b, options, where);
      if (difference !== null) return difference;
    }
  }
  const rest = (html: string) => textOf(html.replace(ROW, " "));
  return compareTexts(rest(before), rest(after), options, "html");
}

type Cells = readonly (readonly string[])[];

function tableCells(html: string): Cells {
  return [...html.matchAll(ROW)].map(([, row]) =>
    [...row!.matchAll(CELL)].map(([, cell]) => textOf(cell!))
  );
}

function textOf(html: string): string {
  return html.replace(/<(style|script)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ").trim();
}
