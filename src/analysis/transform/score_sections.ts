import type { DataFrame } from "nodejs-polars";
import { listText } from "../../arguments/list_text.ts";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { FACTORS, scoreNameOf } from "../../contract/factor.ts";
import { instantOf } from "../../contract/instant.ts";
import { assertRows } from "../../frame/assert_rows.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { missingValue } from "../table/missing_value.ts";
import { readDayColumn, readInstantColumn, readNumbers, readTexts } from "../table/read_columns.ts";

const DAY_COLUMNS = ["session", "date"];
const INSTANT_COLUMNS = ["at", "last_checked_at", "calculated_at"];
const SCORES = [...FACTORS.map(scoreNameOf), "score"];

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
  const score = given ?? onlyScore(action, frame);
  const { names, codes: tickerOf } = readTexts(action, frame, "ticker");
  if (tickerOf.includes(-1)) throw missingValue(action, "a ticker", tickerOf.indexOf(-1));
  const has = (name: string) => frame.columns.includes(name);
  const time = [DAY_COLUMNS[0]!, ...INSTANT_COLUMNS].find(has) ?? DAY_COLUMNS[1]!;
  const isInstant = INSTANT_COLUMNS.includes(time);
  const read = isInstant ? readInstantColumn : readDayColumn;
  const timeOf = Float64Array.from(read(action, frame, time));
  const missing = timeOf.findIndex(Number.isNaN);
  if (missing !== -1) throw missingValue(action, `an instant in the column ${time}`, missing);
  const times = Float64Array.from(new Set(timeOf)).sort();
  const places = new Map(Array.from(times, (value, place) => [value, place]));
  const rows: number[][] = Array.from(times, () => []);
  const seen = new Set<number>();
  for (const [row, value] of timeOf.entries()) {
    const place = places.get(value)!;
    const cell = place * names.length + tickerOf[row]!;
    if (seen.has(cell)) {
      const when = isInstant ? instantOf(value) : fromEpochDay(value);
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

function onlyScore(action: string, frame: DataFrame): string {
  const found = frame.columns.filter((column) => SCORES.includes(column));
  if (found.length === 1) return found[0]!;
  throw new TypeError(
    `Cannot ${action}: expected one column of scores (${SCORES.join(", ")}), got a frame with ` +
      `${listText(frame.columns, 20)}; name one: { score: "${found[0] ?? "my_score"}" }`,
  );
}
