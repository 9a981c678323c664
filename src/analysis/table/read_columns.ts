import pl, { type DataFrame, type Series } from "nodejs-polars";
import { type EpochDay, toEpochDay } from "../../calendar/civil_date.ts";
import { isCalendarDate } from "../../contract/instant.ts";
import { describe } from "../../contract/violation.ts";
import { textPeriod } from "./text_period.ts";

/** Texts of a column as numbers. */
export interface TextCodes {
  /** The distinct texts, in the order of their code units. */
  readonly names: readonly string[];
  /** Index into the names for each row; -1 for null. */
  readonly codes: Int32Array;
}

/**
 * Refuses a frame that lacks columns.
 *
 * @param action What needs them, to stand behind "Cannot"
 * @throws {TypeError} With the missing columns, and those that there are
 */
export function assertColumns(action: string, frame: DataFrame, names: readonly string[]): void {
  const missing = names.filter((name) => !frame.columns.includes(name));
  if (missing.length === 0) return;
  throw new TypeError(
    `Cannot ${action}: the column ${missing.join(", ")} is required, the frame has ` +
      `${frame.columns.join(", ") || "none"}; rename a column, or name yours in the options`,
  );
}

/**
 * A column of dates as days since 1970-01-01. Dates and texts of the form YYYY-MM-DD are read.
 *
 * @throws {TypeError} If the column is something else, or a value is null
 */
export function readDays(action: string, frame: DataFrame, name: string): Int32Array {
  assertColumns(action, frame, [name]);
  const column = frame.getColumn(name);
  const type = typeName(column);
  if (type === "Utf8" || type === "String" || type === "Categorical") {
    return daysOfTexts(action, column, name);
  }
  if (type !== "Date") throw wrongType(action, column, "dates (Date, or text as 2026-10-30)");
  refuseNulls(action, column);
  return new Int32Array(typed(column.cast(pl.Int32)));
}

/**
 * A column of instants as milliseconds since 1970-01-01T00:00Z; NaN for null.
 *
 * @throws {TypeError} If it is no Datetime
 */
export function readInstants(action: string, frame: DataFrame, name: string): Float64Array {
  assertColumns(action, frame, [name]);
  const column = frame.getColumn(name);
  if (typeName(column) !== "Datetime") throw wrongType(action, column, "instants (Datetime)");
  const milliseconds = frame.select(
    pl.col(name).cast(pl.Datetime("ms")).cast(pl.Int64).cast(pl.Float64).fillNull(pl.lit(NaN)),
  );
  return new Float64Array(typed(milliseconds.getColumn(name)));
}

/**
 * A column of numbers; NaN for null and for NaN. A zero has no sign.
 *
 * @throws {TypeError} If it is not numeric
 * @throws {RangeError} If a value is infinite
 */
export function readNumbers(action: string, frame: DataFrame, name: string): Float64Array {
  assertColumns(action, frame, [name]);
  const column = frame.getColumn(name);
  if (!/^(Float|Int|UInt|Null|Bool)/.test(typeName(column))) {
    throw wrongType(action, column, "numbers");
  }
  const values = ownNumbers(filled(column));
  let infinite = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! + 0;
    values[i] = value;
    if (value - value !== 0 && value === value) infinite = i;
  }
  if (infinite === -1) return values;
  throw new RangeError(
    `Cannot ${action}: finite numbers are required in the column ${name}, got ` +
      `${values[infinite]} in row ${infinite}; filter such rows, or make them null`,
  );
}

/** The column as Float64 without nulls, which are NaN. */
function filled(column: Series): Series {
  const numbers = typeName(column) === "Float64" ? column : column.cast(pl.Float64);
  if (numbers.nullCount() === 0) return numbers;
  return pl.DataFrame([numbers]).select(pl.col(column.name).fillNull(pl.lit(NaN)))
    .getColumn(column.name);
}

// Polars gives a copy, unless a column is empty; only in another realm is it no array of this one.
function ownNumbers(column: Series): Float64Array {
  const values = typed(column);
  return values instanceof Float64Array ? values : new Float64Array(values);
}

/**
 * A column of texts as numbers.
 *
 * @throws {TypeError} If it is not text: a ticker such as 0012 that was read as a number is another one
 */
export function readTexts(action: string, frame: DataFrame, name: string): TextCodes {
  assertColumns(action, frame, [name]);
  const column = frame.getColumn(name);
  if (!["Utf8", "String", "Categorical"].includes(typeName(column))) {
    throw wrongType(action, column, "text (a ticker that was read as a number lost its form)");
  }
  if (column.len() === 0) return { names: [], codes: new Int32Array() };
  // Categories that come from several frames lie in several chunks, each with a dictionary of its own.
  const texts = typeName(column) === "Categorical" ? column.cast(pl.Utf8) : column;
  const period = textPeriod(texts);
  const head = period === texts.len() ? texts : texts.head(period);
  const { names, codes } = codesOf(head, categoriesOf(head, name));
  return { names, codes: repeated(codes, texts.len()) };
}

function repeated(codes: Int32Array, height: number): Int32Array {
  if (codes.length === height) return codes;
  const all = new Int32Array(height);
  all.set(codes);
  // What is there already is copied behind itself, twice as much each time.
  for (let done = codes.length; done < height; done *= 2) all.copyWithin(done, 0, done);
  return all;
}

const MISSING = 0xFFFFFFFF;

/** The number of each row's category. */
function categoriesOf(texts: Series, name: string): Float64Array {
  const numbers = texts.cast(pl.Categorical).cast(pl.UInt32);
  if (texts.nullCount() === 0) return typed(numbers);
  const filled = pl.DataFrame([numbers.rename(name)])
    .select(pl.col(name).fillNull(pl.lit(MISSING).cast(pl.UInt32)));
  return typed(filled.getColumn(name));
}

function codesOf(texts: Series, categories: Float64Array): TextCodes {
  let most = -1;
  for (let row = 0; row < categories.length; row++) {
    const category = categories[row]!;
    if (category !== MISSING && category > most) most = category;
  }
  // Categories are few, and numbered across all frames that are alive.
  const placeOf = new Int32Array(most + 1).fill(-1);
  const firstRows: number[] = [];
  const codes = new Int32Array(categories.length);
  for (let row = 0; row < codes.length; row++) {
    const category = categories[row]!;
    if (category === MISSING) codes[row] = -1;
    else {
      let place = placeOf[category]!;
      if (place === -1) place = placeOf[category] = firstRows.push(row) - 1;
      codes[row] = place;
    }
  }
  return sortTexts(texts.gather(firstRows).toArray() as string[], codes);
}

/** Numbers the texts in the order of their code units. */
function sortTexts(texts: readonly string[], codes: Int32Array): TextCodes {
  const names = texts.toSorted(byCodeUnits);
  const ranks = new Map(names.map((text, rank) => [text, rank]));
  const rankOf = Int32Array.from(texts, (text) => ranks.get(text)!);
  if (rankOf.every((rank, i) => rank === i)) return { names, codes };
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] !== -1) codes[row] = rankOf[codes[row]!]!;
  }
  return { names, codes };
}

function daysOfTexts(action: string, column: Series, name: string): Int32Array {
  const texts = column.cast(pl.Utf8).toArray() as (string | null)[];
  const known = new Map<string, EpochDay>();
  return Int32Array.from(texts, (text, row) => {
    const day = known.get(text!);
    if (day !== undefined) return day;
    if (!isCalendarDate(text)) {
      throw new TypeError(
        `Cannot ${action}: dates of the form YYYY-MM-DD are required in the column ${name}, got ` +
          `${describe(text)} in row ${row}`,
      );
    }
    known.set(text, toEpochDay(text));
    return toEpochDay(text);
  });
}

function refuseNulls(action: string, column: Series): void {
  if (column.nullCount() === 0) return;
  throw new TypeError(
    `Cannot ${action}: a value in every row of ${column.name} is required, ${column.nullCount()} ` +
      "are null; drop those rows",
  );
}

function wrongType(action: string, column: Series, required: string): TypeError {
  return new TypeError(
    `Cannot ${action}: the column ${column.name} must hold ${required}, it is ${typeName(column)}`,
  );
}

function typeName(column: Series): string {
  return (column.dtype as { variant?: string }).variant ?? String(column.dtype);
}

function typed(column: Series): Float64Array {
  if (column.len() === 0) return new Float64Array();
  return column.toTypedArray() as unknown as Float64Array;
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
