import pl, { type DataFrame, type Series } from "nodejs-polars";
import { assertColumns } from "../../frames/frame/assert_frame.ts";
import { columnType } from "../../frames/frame/times/column_type.ts";
import { distinctTexts } from "../../frames/frame/times/distinct_texts.ts";
import { readDays as daysOf, type ReadDaysOptions } from "../../frames/frame/times/read_days.ts";
import { readInstants as instantsOf } from "../../frames/frame/times/read_instants.ts";
import { describe } from "../../base/contract/violation.ts";

/** Texts of a column as numbers. */
export interface TextCodes {
  /** The distinct texts, in the order of their code units. */
  readonly names: readonly string[];
  /** Index into the names for each row; -1 for null. */
  readonly codes: Int32Array;
}

/**
 * A column of dates as days since 1970-01-01: dates, texts of the form YYYY-MM-DD, and times at midnight.
 *
 * @throws {TypeError} If the column is something else, or a value is null
 */
export function readDayColumn(
  action: string,
  frame: DataFrame,
  name: string,
  options: ReadDaysOptions = {},
): Int32Array {
  columnOf(action, frame, name);
  return daysOf(action, frame, name, options);
}

/**
 * A column of instants as milliseconds since 1970-01-01T00:00Z; NaN for null.
 *
 * @throws {TypeError} If it is missing, or its clock has no zone
 * @throws {RangeError} If an instant lies before 1980 or after 2200
 */
export function readInstantColumn(action: string, frame: DataFrame, name: string): Float64Array {
  return instantsOf(action, columnOf(action, frame, name));
}

/**
 * A column of numbers; NaN for null and for NaN. A zero has no sign.
 *
 * @throws {TypeError} If it is not numeric
 * @throws {RangeError} If a value is infinite
 */
export function readNumbers(action: string, frame: DataFrame, name: string): Float64Array {
  const column = columnOf(action, frame, name);
  if (!/^(Float|Int|UInt|Null|Bool)/.test(columnType(column).name)) {
    throw wrongType(action, column, "numbers");
  }
  const values = takeNumbers(column);
  let infinite = -1;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! + 0;
    values[i] = value;
    if (value - value !== 0 && value === value) infinite = i;
  }
  if (infinite === -1) return values;
  throw new RangeError(
    `Cannot ${action}: expected finite numbers in the column ${name}, got ` +
      `${values[infinite]} in row ${infinite}; filter such rows, or make them null`,
  );
}

function columnOf(action: string, frame: DataFrame, name: string): Series {
  assertColumns(action, frame, [name]);
  return frame.getColumn(name);
}

/** The numbers of a column that is known to hold them; NaN for null. */
export function takeNumbers(column: Series): Float64Array {
  return ownNumbers(filled(column));
}

/** The days of a column that is known to hold one in every row, since 1970-01-01. */
export function takeDays(column: Series): Int32Array {
  return Int32Array.from(ownNumbers(column.cast(pl.Int32).cast(pl.Float64)));
}

/** The column as Float64 without nulls, which are NaN. */
function filled(column: Series): Series {
  const numbers = columnType(column).name === "Float64" ? column : column.cast(pl.Float64);
  if (numbers.nullCount() === 0) return numbers;
  return pl.DataFrame([numbers]).select(pl.col(column.name).fillNull(pl.lit(NaN)))
    .getColumn(column.name);
}

// Polars gives a copy, unless a column is empty; in another realm it is not an array of this one.
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
  const column = columnOf(action, frame, name);
  if (!["Utf8", "String", "Categorical"].includes(columnType(column).name)) {
    throw wrongType(action, column, "text (a ticker that was read as a number lost its form)");
  }
  if (column.len() === 0) return { names: [], codes: new Int32Array() };
  // Categories that come from several frames lie in several chunks, each with a dictionary of its own.
  const texts = columnType(column).name === "Categorical" ? column.cast(pl.Utf8) : column;
  const period = textPeriod(texts);
  const head = period === texts.len() ? texts : texts.head(period);
  const { texts: distinct, codes: numbers } = distinctTexts(head);
  const { names, codes } = sortTexts(distinct, numbers);
  return { names, codes: repeated(codes, texts.len()) };
}

function repeated(codes: Int32Array, height: number): Int32Array {
  if (codes.length === height) return codes;
  const all = new Int32Array(height);
  all.set(codes);
  // The part that is there already is copied behind itself, twice as much each time.
  for (let done = codes.length; done < height; done *= 2) all.copyWithin(done, 0, done);
  return all;
}

/** Numbers the texts in the order of their code units. */
function sortTexts(texts: readonly string[], codes: Int32Array): TextCodes {
  const names = texts.toSorted();
  const ranks = new Map(names.map((text, rank) => [text, rank]));
  const rankOf = Int32Array.from(texts, (text) => ranks.get(text)!);
  if (rankOf.every((rank, i) => rank === i)) return { names, codes };
  for (let row = 0; row < codes.length; row++) {
    if (codes[row] !== -1) codes[row] = rankOf[codes[row]!]!;
  }
  return { names, codes };
}

function wrongType(action: string, column: Series, required: string): TypeError {
  return new TypeError(
    `Cannot ${action}: expected the column ${column.name} to hold ${required}, got ` +
      `${columnType(column).name}`,
  );
}

function typed(column: Series): Float64Array {
  if (column.len() === 0) return new Float64Array();
  return column.toTypedArray() as unknown as Float64Array;
}

// Number of rows that are looked at for the first ticker again: few, unless there are many tickers.
const LOOKED_AT = [4_096, 65_536] as const;

/**
 * Number of rows after which the texts begin anew, as the tickers of a frame do that has every ticker on every date; the number of
 * rows if they do not. To compare texts with those of one period before is five times as fast as to number them.
 */
export function textPeriod(texts: Series): number {
  const height = texts.len();
  const width = firstRepeat(texts);
  if (width === undefined) return height;
  const isPeriodic = (rows: number) => countEqual(texts.head(rows), width) === rows - width;
  return isPeriodic(Math.min(height, Math.max(4 * width, LOOKED_AT[0]!))) && isPeriodic(height)
    ? width
    : height;
}

/** The first row after the first one with the same text. */
function firstRepeat(texts: Series): number | undefined {
  for (const rows of LOOKED_AT) {
    const head = texts.head(rows).toArray() as readonly unknown[];
    const place = head.indexOf(head[0], 1);
    if (place > 0) return place;
  }
  return undefined;
}

/** Number of texts that are those of some rows before. */
function countEqual(texts: Series, before: number): number {
  const [earlier, later] = [
    texts.slice(0, texts.len() - before),
    texts.slice(before, texts.len() - before),
  ];
  const [count] = pl.DataFrame([earlier.rename("earlier"), later.rename("later")])
    .select(pl.col("later").eq(pl.col("earlier")).sum().cast(pl.Float64).alias("count"))
    .getColumn("count").toArray() as number[];
  return count ?? 0;
}

/**
 * The error for a row without a value.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param what Value that each row needs: `a ticker`
 * @param found Blank text in its place; null if there is none
 */
export function missingValue(
  action: string,
  what: string,
  row: number,
  found: string | null = null,
): TypeError {
  return new TypeError(
    `Cannot ${action}: expected ${what} in every row, got ${describe(found)} in row ${row}; drop ` +
      "the row",
  );
}
