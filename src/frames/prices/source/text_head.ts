import { listText } from "../../../base/arguments/list_text.ts";
import { columnsOfRole, isFieldName } from "../vendor_names.ts";
import { describe } from "../../../base/contract/violation.ts";

const SEPARATORS = [",", ";", "\t", "|"];
const DATES = [
  "(19|20)\\d{2}-?(0[1-9]|1[0-2])(-?[0-3]\\d)?([T -]\\d{2}:?\\d{2}(:?\\d{2})?[\\d:.+Z-]*( [A-Za-z_/]+)?)?",
  "\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4}",
  "\\d{4}[/.]\\d{1,2}[/.]\\d{1,2}",
  "\\d{1,2}[ ./-]{0,2}\\p{L}{3,9}\\.?[ ./-]{0,2}(\\d{4}|\\d{2})",
  "\\p{L}{3,9}\\.? \\d{1,2}, \\d{4}",
];
const DATE = new RegExp(`^"?(${DATES.join("|")})"?$`, "u");

/** `true` for a text in a common form of dates. */
export function isDateText(text: string): boolean {
  return DATE.test(text.trim());
}

/** Division of the lines at the head of a file. */
export interface TextForm {
  /** Lines above the names of the columns. */
  readonly skip: number;
  /** Lines with names of the columns. */
  readonly header: number;
  /** Separator between the fields. */
  readonly separator: string;
}

/**
 * The first lines of a text as a table: the names are the lines of as many fields directly above the first line with a date.
 *
 * @returns `null` if no line has a date and another field
 */
function formOf(lines: readonly string[], given: TextForm): TextForm | null {
  for (const separator of new Set([given.separator, ...SEPARATORS])) {
    const fields = lines.map((line) => line.split(separator));
    const first = fields.findIndex((parts) => parts.length > 1 && parts.some(isDateText));
    if (first <= 0) continue;
    let skip = first;
    const width = fields[first]!.length;
    while (skip > 0 && fields[skip - 1]!.length === width) skip--;
    if (isRemarkAbove(fields.slice(skip, first))) skip = first - 1;
    if (skip < first) return { skip, header: first - skip, separator };
  }
  return null;
}

/** `true` if the last of several lines names the columns alone, so that those above are no names. */
function isRemarkAbove(lines: readonly (readonly string[])[]): boolean {
  const names = lines.at(-1)!;
  const has = (role: "date" | "ticker" | "plain" | "adjusted") =>
    columnsOfRole(names, role).length > 0;
  return lines.length > 1 && lines[0]![0]!.trim() !== "" && new Set(names).size === names.length &&
    has("date") && (has("ticker") || has("plain") || has("adjusted"));
}

/** The form of a text that no date tells: by another separator in its names, or a remark above them. */
function nameForm(lines: readonly string[], given: TextForm): TextForm | null {
  const [, separator] = /^sep=(.)$/i.exec(lines[0]!) ?? [];
  if (separator !== undefined) return { skip: 1, header: 1, separator };
  const isRemark = (line = "") =>
    line.startsWith("#") || /^[^,]+$/.test(line.replace(/,+$/, "")) && line.endsWith(",,");
  if (given.skip === 0 && isRemark(lines[0])) {
    return { ...given, skip: lines.findIndex((line) => !isRemark(line)) };
  }
  const [name = ""] = lines.slice(given.skip);
  if (name.includes(given.separator)) return null;
  const other = SEPARATORS.find((text) => name.includes(text));
  return other === undefined ? null : { ...given, separator: other };
}

/**
 * Refuses a text whose lines are divided in another way than options say, or that is no text.
 *
 * @throws {TypeError} With the options that read it, or the format to save it in
 */
export function refuseOtherText(lines: readonly string[], given: TextForm, title: string): void {
  const [name = ""] = lines;
  const wrong = otherForm(name);
  if (wrong !== null) throw new TypeError(`Cannot read ${title}: expected ${wrong}`);
  const found = formOf(lines, given) ?? nameForm(lines, given);
  if (found === null) return;
  const { skip, header, separator } = found;
  const hasCommas = lines.slice(skip + header).some((line) =>
    line.split(separator).some((field) => /^-?[\d.]*\d,\d+$/.test(field))
  );
  const isOther = separator !== given.separator;
  // A row of pairs has a date before the values of each ticker.
  const dates = lines[skip + header]?.split(separator).filter(isDateText) ?? [];
  const layout = dates.length > 1 ? "pairs" : "wide";
  const options = [
    skip !== given.skip && `skip: ${skip}`,
    header !== given.header && `header: ${header}`,
    header > 1 && header !== given.header && `layout: "${layout}"`,
    isOther && `separator: ${describe(separator)}`,
    isOther && hasCommas && 'decimal: ","',
  ].filter((option) => option !== false);
  if (options.length === 0) return;
  const [expected, got] = skip > 0
    ? ["the names of columns in the first line", `${listText([name])} above them`]
    : isOther
    ? [`columns with ${describe(given.separator)} between them`, `one column ${listText([name])}`]
    : [
      "the names of columns in one line",
      `${header} lines of names (${listText(lines.slice(0, header))})`,
    ];
  throw new TypeError(
    `Cannot read ${title}: expected ${expected}, got ${got}; use ${options.join(", ")}`,
  );
}

function otherForm(name: string): string | null {
  if (/\0/.test(name) || name.startsWith("\ufffd")) {
    return 'text in UTF-8, got UTF-16, as in Excel\'s "Unicode text"; save it as "CSV UTF-8"';
  }
  if (name.startsWith("PAR1")) return "text, got a Parquet file; rename it to end in .parquet";
  if (/^<(!doctype|html)/i.test(name)) {
    return "a table, got a web page, such as the login page of a vendor; download the file again";
  }
  if (name.startsWith("PK")) return "text, got a ZIP or Excel file; save the table as CSV";
  return null;
}

/** `true` for a level that says the same of each column, such as a currency. */
function isOfAll([, ...others]: readonly string[]): boolean {
  return others.length > 1 && new Set(others).size === 1 && !isFieldName(others[0]!) &&
    !/date/i.test(others[0]!) &&
    others[0] !== "";
}

/**
 * One line of names from several: the parts of a column with a space between them, where a name stands above the columns to its
 * right that have none; the lowest for the first column.
 */
export function joinedNames(lines: readonly string[], separator: string): string {
  if (lines.length === 1) return lines[0]!;
  const parts = lines.map((line, level) => {
    const own = line.split(separator).map((part) => part.trim().replaceAll('"', ""));
    let last = "";
    return level === lines.length - 1 ? own : own.map((part) => last = part === "" ? last : part);
  }).filter((level, _, all) => !isOfAll(level) || all.every(isOfAll));
  const width = Math.max(...parts.map((line) => line.length));
  return Array.from({ length: width }, (_, i) => {
    const levels = parts.map((line) => line[i] ?? "").filter((part) => part !== "");
    return i === 0 ? levels.at(-1) ?? "" : levels.join(" ");
  }).join(separator);
}
