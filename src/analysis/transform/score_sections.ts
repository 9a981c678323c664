import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { assertRows } from "../../frames/frame/assert_rows.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { distinctTimes } from "../table/distinct_times.ts";
import { readDayColumn, readNumbers } from "../table/read_columns.ts";
import {
  KNOWN_COLUMNS,
  onlyScore,
  readEveryInstant,
  readTickerCodes,
} from "../table/score_columns.ts";

// Columns that a message names.
const SHOWN = 20;

/** Rows of scores by cross-section. */
export interface ScoreSections {
  /** The frame that the rows are of. */
  readonly frame: DataFrame;
  /** The column of scores. */
  readonly score: string;
  /** The column of times. */
  readonly time: string;
  /** True if times are instants, false if they are days. */
  readonly isInstant: boolean;
  /** The distinct times, ascending: days since 1970-01-01 or epoch milliseconds. */
  readonly times: Float64Array;
  /** The rows of each time. */
  readonly rows: readonly (readonly number[])[];
  /** Ticker of each row, as a number. */
  readonly tickerOf: Int32Array;
  /** Score of each row; NaN for null. */
  readonly scores: Float64Array;
}

/**
 * Reads scores by cross-section: aligned scores, or a frame with a session, a date or an instant, a ticker and a score.
 *
 * @throws {TypeError} If a column is missing, or a time and ticker repeat
 */
export function scoreSections(
  action: string,
  data: HasDense | DataFrame,
  given: string | undefined,
): ScoreSections {
  const frame = ((data as { data?: DataFrame } | null | undefined)?.data ?? data) as DataFrame;
  assertRows(action, frame, "scores");
  const score = given ?? onlyScore(action, frame, SHOWN);
  const { names, codes: tickerOf } = readTickerCodes(action, frame);
  const has = (name: string) => frame.columns.includes(name);
  const time = ["session", ...KNOWN_COLUMNS].find(has) ?? "date";
  const isInstant = KNOWN_COLUMNS.some((name) => name === time);
  const read = isInstant ? readEveryInstant : readDayColumn;
  const { times, timeOf } = distinctTimes(read(action, frame, time));
  const rows: number[][] = Array.from(times, () => []);
  const seen = new Set<number>();
  for (const [row, place] of timeOf.entries()) {
    const cell = place * names.length + tickerOf[row]!;
    if (seen.has(cell)) {
      const when = isInstant ? instantOf(times[place]!) : fromEpochDay(times[place]!);
      throw new TypeError(
        `Cannot ${action}: expected one row a time and ticker, got several for ${when} ` +
          `${names[tickerOf[row]!]}; drop duplicates`,
      );
    }
    seen.add(cell);
    rows[place]!.push(row);
  }
  const scores = readNumbers(action, frame, score);
  return { frame, score, time, isInstant, times, rows, tickerOf, scores };
}
