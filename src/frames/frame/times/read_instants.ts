import { clockText } from "../../../base/calendar/civil_date.ts";
import pl, { type Series } from "nodejs-polars";
import { epochMsOf, parseInstant } from "../../../base/contract/instant.ts";
import { describe } from "../../../base/contract/violation.ts";
import { clockMs, columnType } from "./column_type.ts";

// Seconds or nanoseconds read as milliseconds are outside of this range.
const [LEAST_MS, MOST_MS] = [Date.UTC(1980, 0, 1), Date.UTC(2200, 0, 1)];

/**
 * Reads a column of instants as milliseconds since 1970-01-01T00:00Z, with NaN for null: Datetimes with a time zone, and texts
 * with `Z` or an offset.
 *
 * @param action Action that needs them, worded to follow "Cannot"
 * @throws {TypeError} If it has another type; times without a zone are not instants
 * @throws {RangeError} If an instant is before 1980 or after 2200
 */
export function readInstants(action: string, column: Series): Float64Array {
  const { name } = column;
  const type = columnType(column);
  if (type.isText) return inTime(action, name, instantsOfTexts(action, column));
  if (type.name !== "Datetime") throw notInstants(action, column, type.name);
  if (type.zone === null && column.nullCount() < column.len()) throw naive(action, column);
  const ms = pl.col(name).cast(pl.Datetime("ms")).cast(pl.Int64).cast(pl.Float64)
    .fillNull(pl.lit(NaN));
  const values = pl.DataFrame([column]).select(ms).getColumn(name)
    .toTypedArray() as unknown as Float64Array;
  return inTime(action, name, column.len() === 0 ? new Float64Array() : new Float64Array(values));
}

function instantsOfTexts(action: string, column: Series): Float64Array {
  const known = new Map<string, number>();
  return Float64Array.from(
    column.cast(pl.Utf8).toArray() as (string | null)[],
    (text, row) => {
      if (text === null) return NaN;
      const before = known.get(text);
      if (before !== undefined) return before;
      const ms = instantOfText(text);
      if (ms === null) {
        throw new TypeError(
          `Cannot ${action}: expected instants in the column ${column.name}, got the text ` +
            `${describe(text)} in row ${row}; add its offset, such as 2026-06-10T16:00:00-04:00`,
        );
      }
      known.set(text, ms);
      return ms;
    },
  );
}

// pandas writes a blank for the T.
function instantOfText(text: string): number | null {
  try {
    return epochMsOf(parseInstant(text.replace(/^(\d{4}-\d{2}-\d{2}) /, "$1T")));
  } catch {
    return null;
  }
}

function notInstants(action: string, { name }: Series, type: string): TypeError {
  const advice = type === "Date"
    ? "; a date is not an instant: call the column date, or use the closes of sessions()"
    : /Int|Float/.test(type)
    ? `; for epoch milliseconds: pl.col("${name}").cast(pl.Datetime("ms", "UTC"))`
    : "";
  return new TypeError(
    `Cannot ${action}: expected instants (Datetime with a time zone) in the column ${name}, got ` +
      `${type}${advice}`,
  );
}

function naive(action: string, column: Series): TypeError {
  const { name } = column;
  const row = column.isNotNull().toArray().indexOf(true);
  const [ms] = pl.DataFrame([column.slice(row, 1)])
    .select(clockMs(name, columnType(column))).row(0);
  const shown = clockText(Number(ms));
  return new TypeError(
    `Cannot ${action}: expected instants with a time zone in the column ${name}, got ${shown} without one in ` +
      `row ${row}; for New York time use frame.withColumns(pl.col("${name}").dt.replaceTimeZone("America/New_York"))` +
      ', and "UTC" for times from JavaScript Dates',
  );
}

function inTime(action: string, name: string, values: Float64Array): Float64Array {
  const wrong = values.findIndex((ms) => ms < LEAST_MS || ms > MOST_MS);
  if (wrong === -1) return values;
  throw new RangeError(
    `Cannot ${action}: expected instants from 1980 to 2200 in the column ${name}, got ` +
      `${describe(clockText(values[wrong]!))} in row ${wrong}; check its unit ` +
      "(seconds or milliseconds)",
  );
}
