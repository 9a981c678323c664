/** How a column is written: at which side, and whether the values are scores. */
export interface CellStyle {
  /** Numbers stand at the right. */
  readonly align: "left" | "right";
  /** Fixed decimals, or `null` for the shortest exact text. */
  readonly decimals: number | null;
  /** How an instant is cut: dates have no time of day. */
  readonly temporal: "date" | "instant" | null;
}

const SCORE_DECIMALS = 4;
const SIGNIFICANT_DIGITS = 6;
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

/** The short name that Polars prints above a column: `f64`, `str`, `datetime[ms, UTC]`. */
export function shortDtype(dtype: unknown): string {
  const text = String(dtype).replace(/^DataType\((.*)\)$/s, "$1");
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

/** The style of a column, from its name and its data type. */
export function cellStyle(name: string, dtype: unknown): CellStyle {
  const text = String(dtype).replace(/^DataType\((.*)\)$/s, "$1");
  return {
    align: NUMERIC.test(text) ? "right" : "left",
    decimals: name.endsWith("_score") && text.startsWith("Float") ? SCORE_DECIMALS : null,
    temporal: text === "Date" ? "date" : text.startsWith("Datetime") ? "instant" : null,
  };
}

/** The text of one value, or `null` where the frame has no value. */
export function cellText(value: unknown, style: CellStyle, maxLength: number): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return numberText(value, style);
  if (value instanceof Date) return dateText(value, style);
  return cut(typeof value === "string" ? value : plainText(value), maxLength);
}

/** The style with as many decimals as the values need, so that the points of a column stand below each other. */
export function alignDecimals(style: CellStyle, values: readonly unknown[]): CellStyle {
  if (style.align !== "right" || style.decimals !== null) return style;
  const texts = values.filter((value) => typeof value === "number" && Number.isFinite(value))
    .map((value) => String(Number((value as number).toPrecision(SIGNIFICANT_DIGITS))));
  const decimals = Math.max(0, ...texts.map((text) => text.split(".")[1]?.length ?? 0));
  const isPlain = texts.every((text) => !text.includes("e"));
  return isPlain && decimals > 0 ? { ...style, decimals } : style;
}

function numberText(value: number, style: CellStyle): string {
  if (style.decimals !== null) return value.toFixed(style.decimals);
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
}

function dateText(value: Date, style: CellStyle): string {
  if (Number.isNaN(value.getTime())) return "invalid date";
  const iso = value.toISOString();
  return style.temporal === "date" ? iso.slice(0, 10) : iso.replace(".000Z", "Z").replace("T", " ");
}

function plainText(value: unknown): string {
  if (typeof value !== "object") return String(value);
  const text = JSON.stringify(
    value,
    (_key, part) => typeof part === "bigint" ? String(part) : part,
  );
  return text ?? String(value);
}

/** The text without control characters: a line break would break a table, an escape sequence rule a terminal. */
export function toLine(text: string): string {
  return text.replace(/\p{Cc}/gu, " ");
}

function cut(value: string, maxLength: number): string {
  const text = toLine(value);
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
