import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { type TimedScores, timeText } from "../aligned/score_rows.ts";
import type { DenseScores, HasDense } from "../dense/dense_frames.ts";
import {
  distinctTimes,
  everyInstant,
  KNOWN_COLUMNS,
  onlyScore,
  readTickerCodes,
} from "../table/score_columns.ts";
import { readDayColumn, readInstantColumn, readNumbers } from "../table/read_columns.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { quantileOfSorted } from "../../base/statistics/moments.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";

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

const RULES: rules.OptionRules<NonNullable<Parameters<typeof winsorize>[1]>> = {
  share: rules.numbers(
    "a number from 0 to below 0.5",
    (share) => share >= 0 && share < 0.5,
    "0.01",
  ),
  score: rules.TEXT,
};
const ACTION = "winsorize scores";

/**
 * Winsorises scores session by session: a score below the quantile `share` of its session becomes that quantile, one above
 * 1 − `share` becomes that one. Quantiles are linear, as those of numpy and pandas; equal scores stay equal, and the order of
 * stocks is kept. No later information enters, as it would with limits from the whole sample.
 *
 * The rows of the data, by time and ticker, with the score replaced; null where it was null. Rank statistics change only where stocks become tied; statistics of values, such as weights or Pearson's correlation, change more.
 *
 * @param data A release, a panel, any frame with a date or an instant, `ticker` and a score, or the result of {@link align}
 * @returns A frame of the rows of the data, with the score winsorised
 * @throws {TypeError} If a column is missing, or an option is unknown
 * @throws {RangeError} If the share is negative, or one half or more
 * @see Tukey (1962), The future of data analysis, Annals of Mathematical Statistics 33
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { winsorize } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(5).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D", "E"],
 *   score: [0, 1, 2, 3, 100],
 * });
 * const scores = winsorize(data, { share: 0.25 }).getColumn("score").toArray();
 * if (scores.join() !== "1,1,2,3,3") throw new Error("the ends are drawn in");
 * ```
 */
export function winsorize<Data extends HasDense | DataFrame>(
  data: Data,
  options: {
    /** The share of the stocks of a session at each end, below one half. @default 0.01 */
    readonly share?: number;
    /** The column of scores. @default the only column that is named like a score */
    readonly score?: string;
  } = {},
): RowsOf<Data> {
  rules.checkOptions("call winsorize()", options, RULES);
  const { share = 0.01 } = options;
  const { frame, score, time, scores, rows } = scoreSections(ACTION, data, options.score);
  const drawn = scores.slice();
  for (const section of rows) {
    const values = drawInSession(Float64Array.from(section, (row) => scores[row]!), share);
    for (const [i, row] of section.entries()) drawn[row] = values[i]!;
  }
  return frame.withColumns(numberColumn(score, drawn)).sort([time, "ticker"]) as RowsOf<Data>;
}

/** The scores of all sessions, winsorised by session. */
export function drawIn(
  { scores, tickers, from, to }: Pick<DenseScores, "scores" | "tickers" | "from" | "to">,
  share: number,
): Float64Array {
  const width = tickers.length;
  const drawn = scores.slice();
  for (let d = from; d < to; d++) drawInSession(drawn.subarray(d * width, (d + 1) * width), share);
  return drawn;
}

function drawInSession(values: Float64Array, share: number): Float64Array {
  const sorted = values.filter((score) => !Number.isNaN(score)).sort();
  const [low, high] = [share, 1 - share].map((at) => quantileOfSorted(sorted, at));
  for (const [name, score] of values.entries()) {
    values[name] = Math.min(Math.max(score, low!), high!);
  }
  return values;
}
