import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { type TimedScores, timeText } from "../aligned/score_rows.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import {
  distinctTimes,
  everyInstant,
  KNOWN_COLUMNS,
  onlyScore,
  readTickerCodes,
} from "../table/score_columns.ts";
import { readDayColumn, readInstantColumn, readNumbers } from "../table/read_columns.ts";

// Columns that a message names.
const SHOWN = 20;

/** Rows of scores that were read. */
type TimedCells = Pick<
  TimedScores,
  "kind" | "times" | "timeOf" | "tickers" | "tickerOf" | "scores"
>;

/** Rows of scores by cross-section. */
export interface ScoreSections extends TimedCells {
  /** The frame that the rows are of. */
  readonly frame: DataFrame;
  /** The column of scores. */
  readonly score: string;
  /** The column of times. */
  readonly time: string;
  /** The rows of each time. */
  readonly rows: readonly (readonly number[])[];
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
  const { names: tickers, codes: tickerOf } = readTickerCodes(action, frame);
  const has = (name: string) => frame.columns.includes(name);
  const time = ["session", ...KNOWN_COLUMNS].find(has) ?? "date";
  const kind = KNOWN_COLUMNS.some((name) => name === time) ? "instant" : "date";
  const values = kind === "date"
    ? readDayColumn(action, frame, time)
    : everyInstant(action, time, readInstantColumn(action, frame, time));
  const own = { kind, ...distinctTimes(values), tickers, tickerOf } as const;
  const rows = rowsByTime(action, own);
  return { frame, score, time, ...own, rows, scores: readNumbers(action, frame, score) };
}

/**
 * The rows of each time.
 *
 * @throws {TypeError} If a time and ticker repeat
 */
export function rowsByTime(
  action: string,
  { kind, times, timeOf, tickers, tickerOf }: Omit<TimedCells, "scores">,
): readonly (readonly number[])[] {
  const rows: number[][] = Array.from(times, () => []);
  const seen = new Set<number>();
  for (const [row, place] of timeOf.entries()) {
    const cell = place * tickers.length + tickerOf[row]!;
    if (seen.has(cell)) {
      throw new TypeError(
        `Cannot ${action}: expected one row a time and ticker, got several for ${
          timeText({ kind, times }, place)
        } ` +
          `${tickers[tickerOf[row]!]}; drop duplicates`,
      );
    }
    seen.add(cell);
    rows[place]!.push(row);
  }
  return rows;
}
