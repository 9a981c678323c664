import pl, { type DataFrame, type Series } from "nodejs-polars";
import { clockText, DAY_MS, type EpochDay, toEpochDay } from "../../../base/calendar/civil_date.ts";
import { describe } from "../../../base/contract/violation.ts";
import { clockMs, columnType, type TimeColumn } from "./column_type.ts";
import { distinctTexts } from "./distinct_texts.ts";
import { type CalendarDate, isCalendarDate } from "../../../base/contract/instant.ts";

const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

// A date that pandas or a database stores as a time, with any offset: the date in its own time zone.
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;

/** Options of reading a column of dates. */
export interface ReadDaysOptions {
  /**
   * Day for null values.
   *
   * @default null is refused
   */
  readonly open?: EpochDay;
}

/**
 * Reads a column of dates as days since 1970-01-01: dates, texts such as 2026-10-30, and times at midnight, as pandas stores
 * dates, which become the date in their own time zone.
 *
 * @param action Action that needs them, worded to follow "Cannot"
 * @throws {TypeError} If the column has another type, times of day, or a null without a day for it
 */
export function readDays(
  action: string,
  frame: DataFrame,
  name: string,
  { open }: ReadDaysOptions = {},
): Int32Array {
  const column = frame.getColumn(name);
  const nulls = column.nullCount();
  if (nulls > 0 && open === undefined) {
    throw new TypeError(
      `Cannot ${action}: expected a value in every row of ${name}, got ${nulls} null; drop those rows`,
    );
  }
  const type = columnType(column);
  if (type.isText) return daysOfTexts(action, column, open);
  if (type.name === "Datetime") return daysOfTimes(action, column, type, open);
  if (type.name === "Date") return numbersOf(column.cast(pl.Int32), open);
  if (type.name === "Null" && open !== undefined) return new Int32Array(column.len()).fill(open);
  const advice = /Int/.test(type.name)
    ? `; make it text: pl.col("${name}").cast(pl.Utf8), if its numbers are like 20261030`
    : "";
  throw new TypeError(
    `Cannot ${action}: expected dates (Date, or text such as 2026-10-30) in the column ${name}, got ` +
      `${type.name}${advice}`,
  );
}

function daysOfTexts(action: string, column: Series, open: EpochDay | undefined): Int32Array {
  const { texts, firstRows, codes } = distinctTexts(column);
  const days = texts.map((text, place) => {
    const date = dateOfText(text);
    if (date !== null) return toEpochDay(date);
    throw new TypeError(
      `Cannot ${action}: expected dates of the form YYYY-MM-DD in the column ${column.name}, got ` +
        `${describe(text)} in row ${firstRows[place]}${timeAdvice(text, column.name)}`,
    );
  });
  return codes.map((code) => code === -1 ? open! : days[code]!);
}

function timeAdvice(text: string, name: string): string {
  if (!TIME.test(text)) return "";
  return `; for the date that it shows: pl.col("${name}").str.slice(0, 10); a column of times at which scores were known is called at` +
    (/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `: frame.rename({ ${name}: "at" })` : "");
}

function daysOfTimes(action: string, column: Series, type: TimeColumn, open: EpochDay | undefined) {
  const clock = pl.DataFrame([column]).select(clockMs(column.name, type)).getColumn(column.name)
    .toArray() as (number | null)[];
  return Int32Array.from(clock, (ms, row) => {
    if (ms === null) return open!;
    if (ms % DAY_MS === 0) return ms / DAY_MS;
    const { name } = column;
    const shown = clockText(ms);
    const advice = type.zone === null
      ? `; for its date: pl.col("${name}").cast(pl.Date); a column of times at which scores were known is called at`
      : `; for its date in New York: pl.col("${name}").dt.convertTimeZone("America/New_York").dt.strftime("%Y-%m-%d")`;
    throw new TypeError(
      `Cannot ${action}: expected dates in the column ${name}, got the time ${shown} of ` +
        `${type.zone ?? "no zone"} in row ${row}${advice}`,
    );
  });
}

function numbersOf(column: Series, open: EpochDay | undefined): Int32Array {
  if (column.len() === 0) return new Int32Array();
  if (column.nullCount() === 0) {
    return new Int32Array(column.toTypedArray() as unknown as Int32Array);
  }
  return Int32Array.from(column.toArray() as (number | null)[], (day) => day ?? open!);
}

/** Parses a date such as `2026-11-19`, `20261119` or `2026-11-19 00:00:00`; `null` for any other text. */
export function dateOfText(text: string): CalendarDate | null {
  const date = COMPACT.test(text)
    ? text.replace(COMPACT, "$1-$2-$3")
    : text.replace(MIDNIGHT, "$1");
  return isCalendarDate(date) ? date : null;
}

/**
 * Converts the column `date` of a frame to dates, if it has texts or times at midnight.
 *
 * @param action Action that needs them, worded to follow "Cannot"
 * @throws {TypeError} If the column has another type
 */
export function withDates(action: string, frame: DataFrame): DataFrame {
  if (columnType(frame.getColumn("date")).name === "Date") return frame;
  return frame.withColumns(
    pl.Series("date", readDays(action, frame, "date"), pl.Int32).cast(pl.Date),
  );
}
