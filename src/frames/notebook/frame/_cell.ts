import { type InstantPrecision, instantPrecision, instantText } from "../instant_text.ts";
import { visibleText } from "../../../base/wording/visible_text.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

/** Format of a column. */
export interface CellStyle {
  /** Numbers are right-aligned. */
  readonly align: "left" | "right";
  /** Format of numbers. */
  readonly number: NumberStyle;
  /** Format of times: dates have no time of day. */
  readonly time: "date" | InstantPrecision;
  /** True if times have no time zone. */
  readonly isClock: boolean;
  /** Longest text in characters. */
  readonly maxLength: number;
}

/** Displayed value. */
export interface Cell {
  /** The text; `null` where the frame has no value. */
  readonly text: string | null;
  /** The whole value, where the text is shorter or rounded. */
  readonly full?: string;
}

/** Text of NaN; a string of these letters is quoted. */
export const NOT_A_NUMBER = "NaN";

// Strings that are blank, look like a missing value, or are already quoted.
const QUOTED = /^(\s*|null|NaN|".*")$/s;
const SCORE_DECIMALS = 4;
const NUMERIC = /^(u?int\d+|float\d+|decimal)/i;
const SHORT_DTYPE: Readonly<Record<string, string>> = {
  Float64: "f64",
  Float32: "f32",
  Utf8: "str",
  String: "str",
  Categorical: "cat",
  Bool: "bool",
  Date: "date",
};

// Four significant digits of the largest value; prices keep their cents.
const SIGNIFICANT_DIGITS = 4;
const MIN_DECIMALS = 2;
const MAX_DECIMALS = 7;
const LARGE = 1e6;
const HUGE = 1e15;
const TINY = 1e-4;
// Further digits of a double are rounding noise.
const EXACT_DIGITS = 12;
const NOT_GROUPED = /(^|_)(year|id)$/i;

/** Short name that Polars prints above a column: `f64`, `str`, `datetime[ms, UTC]`. */
export function shortDtype(dtype: unknown): string {
  const text = dtypeText(dtype);
  const short = SHORT_DTYPE[text];
  if (short !== undefined) return short;
  const integer = /^(U?)Int(\d+)$/.exec(text);
  if (integer !== null) return `${integer[1] === "U" ? "u" : "i"}${integer[2]}`;
  const datetime = /^Datetime\((\w+),(.*)\)$/.exec(text);
  if (datetime !== null) {
    return datetime[2] === ""
      ? `datetime[${datetime[1]}]`
      : `datetime[${datetime[1]}, ${datetime[2]}]`;
  }
  return text.toLowerCase();
}

/** A column to format. */
export interface StyledColumn {
  /** Name of the column. */
  readonly name: string;
  /** Data type. */
  readonly dtype: unknown;
  /** Shown values. */
  readonly values: readonly unknown[];
  /** Longest text in characters. */
  readonly maxLength: number;
}

/** Style of a column, from its name, its data type and its shown values. */
export function cellStyle({ name, dtype, values, maxLength }: StyledColumn): CellStyle {
  const text = dtypeText(dtype);
  const isScore = name.endsWith("score") && text.startsWith("Float");
  return {
    align: NUMERIC.test(text) ? "right" : "left",
    number: isScore ? { decimals: SCORE_DECIMALS, isGrouped: true } : numberStyle(name, values),
    time: text === "Date" ? "date" : instantPrecision(values.filter(isValidDate)),
    isClock: /^Datetime\(\w+,\)$/.test(text),
    maxLength,
  };
}

/** Displayed value. */
export function cellOf(value: unknown, style: CellStyle): Cell {
  if (value === null || value === undefined) return { text: null };
  if (value instanceof Date) return { text: dateText(value, style) };
  if (typeof value === "number") {
    const text = cellNumber(value, style.number);
    return Object.is(Number(text.replaceAll(",", "")), value) ? { text } : withFull(text, value);
  }
  if (typeof value === "bigint" && style.number.isGrouped) return { text: groupThousands(value) };
  const full = toLine(typeof value === "string" ? value : plainText(value));
  if (typeof value === "string" && QUOTED.test(full)) {
    return withFull(cut(JSON.stringify(full), style.maxLength), full);
  }
  const text = cut(full, style.maxLength);
  return text === full ? { text } : withFull(text, full);
}

function withFull(text: string, full: unknown): Cell {
  return { text, full: String(full) };
}

function dateText(value: Date, { time, isClock }: CellStyle): string {
  if (!isValidDate(value)) return "invalid date";
  if (time === "date") return value.toISOString().slice(0, 10);
  const text = instantText(value, time);
  return isClock ? text.slice(0, -1) : text;
}

function isValidDate(value: unknown): value is Date {
  return value instanceof Date && !Number.isNaN(value.getTime());
}

function dtypeText(dtype: unknown): string {
  return String(dtype).replace(/^DataType\((.*)\)$/s, "$1");
}

function plainText(value: unknown): string {
  if (typeof value !== "object") return String(value);
  const text = JSON.stringify(
    value,
    (_key, part) => typeof part === "bigint" ? String(part) : part,
  );
  return text ?? String(value);
}

/** Removes control characters, which would break a table, and writes out what would act on a terminal or turn a line. */
export function toLine(text: string): string {
  return visibleText(text.replace(/\p{Cc}/gu, " "));
}

function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

/** Format of the numbers of one column. */
interface NumberStyle {
  /** Decimal places; `null` for scientific notation, if all values are very small or very large. */
  readonly decimals: number | null;
  /** True for commas between thousands. */
  readonly isGrouped: boolean;
}

/** Number style of a column from its shown values, with the digits that its largest value needs. */
function numberStyle(name: string, values: readonly unknown[]): NumberStyle {
  const isGrouped = !NOT_GROUPED.test(name);
  const numbers = values.filter((value) => typeof value === "number" && Number.isFinite(value))
    .map((value) => Math.abs(value as number));
  const largest = Math.max(0, ...numbers);
  if (largest === 0) return { decimals: 0, isGrouped };
  if (largest < TINY || largest >= HUGE) return { decimals: null, isGrouped };
  const limit = largest >= LARGE ? 0 : decimalsFor(largest);
  const visible = numbers.filter((value) => !vanishes(value, limit));
  return { decimals: Math.min(limit, Math.max(0, ...visible.map(decimalsOf))), isGrouped };
}

/** Formats a number in the style of its column; a nonzero number never looks like zero. */
function cellNumber(value: number, { decimals, isGrouped }: NumberStyle): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return (0).toFixed(decimals ?? 0);
  if (decimals === null) return trimExponent(value.toExponential(SIGNIFICANT_DIGITS - 1));
  if (vanishes(Math.abs(value), decimals)) return trimExponent(value.toExponential(1));
  return isGrouped ? groupThousands(value.toFixed(decimals)) : value.toFixed(decimals);
}

function decimalsFor(largest: number): number {
  const decimals = SIGNIFICANT_DIGITS - 1 - Math.floor(Math.log10(largest));
  return Math.min(MAX_DECIMALS, Math.max(MIN_DECIMALS, decimals));
}

function decimalsOf(value: number): number {
  const [digits = "", exponent = "0"] = String(Number(value.toPrecision(EXACT_DIGITS))).split("e");
  return Math.max(0, (digits.split(".")[1]?.length ?? 0) - Number(exponent));
}

function vanishes(size: number, decimals: number): boolean {
  return size !== 0 && Number(size.toFixed(decimals)) === 0;
}

/** Shortens `7.0e-6` to `7e-6`. */
function trimExponent(text: string): string {
  return text.replace(/\.?0*e/, "e").replace("e+", "e");
}
