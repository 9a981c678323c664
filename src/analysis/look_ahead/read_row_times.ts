import type { DataFrame } from "nodejs-polars";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { columnType } from "../../frames/frame/times/column_type.ts";
import { KNOWN_COLUMNS } from "../table/score_columns.ts";
import { readDayColumn, readInstantColumn } from "../table/read_columns.ts";

/** Unit in which times are compared: whole days, or instants where every frame has them. */
export type TimeUnit = "day" | "instant";

/** Times of the rows of a frame. */
export interface RowTimes {
  /** The column. */
  readonly column: string;
  /** Days since 1970-01-01, or epoch milliseconds. */
  readonly unit: TimeUnit;
  /** Time of each row. */
  readonly values: Float64Array;
}

// The first that a frame has says when a row was known.
const TIMES: readonly string[] = ["known_at", ...KNOWN_COLUMNS, "session", "date"];
// What a row is about, where another column says when it was known.
const ABOUT: readonly string[] = ["session", "date", "period"];

/** The column that says when the rows of a frame were known; `undefined` if it has none. */
export function timeColumnOf({ columns }: DataFrame): string | undefined {
  return TIMES.find((name) => columns.includes(name));
}

/**
 * The times of a column of days or of instants.
 *
 * @throws {TypeError} If it holds neither, or a null
 */
export function readRowTimes(action: string, frame: DataFrame, column: string): RowTimes {
  if (!isInstants(frame, column)) {
    return { column, unit: "day", values: Float64Array.from(readDayColumn(action, frame, column)) };
  }
  const values = readInstantColumn(action, frame, column);
  const missing = values.findIndex(Number.isNaN);
  if (missing === -1) return { column, unit: "instant", values };
  throw new TypeError(
    `Cannot ${action}: expected an instant in every row of ${column}, got null in row ${missing}; ` +
      "drop such rows",
  );
}

/** The days that rows are about, where another column says when they were known; else `null`. */
export function readAbout(action: string, frame: DataFrame, known: string): Float64Array | null {
  const column = ABOUT.find((name) => frame.columns.includes(name));
  if (column === undefined || ABOUT.includes(known)) return null;
  try {
    return inDays(readRowTimes(action, frame, column)).values;
  } catch {
    // A period such as "2026Q3" is no day: what was restated cannot be told apart then.
    return null;
  }
}

/** Times as days, those of instants in New York. */
export function inDays(times: RowTimes): RowTimes {
  if (times.unit === "day") return times;
  return { ...times, unit: "day", values: times.values.map(newYorkDay) };
}

function isInstants(frame: DataFrame, column: string): boolean {
  if (!frame.columns.includes(column)) return false;
  const values = frame.getColumn(column);
  const { isText, name, zone } = columnType(values);
  if (!isText) return name === "Datetime" && zone !== null;
  const first = values.head(1).toArray()[0] as string | null | undefined;
  return typeof first === "string" && first.length > "2026-10-30".length;
}
