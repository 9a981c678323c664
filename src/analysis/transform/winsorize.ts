import type { DataFrame } from "nodejs-polars";
import {
  checkOptions,
  numbers,
  type OptionRules,
  TEXT,
} from "../../base/arguments/check_options.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { quantileOfSorted } from "../../base/statistics/moments.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";
import { scoreSections } from "./score_sections.ts";

const RULES: OptionRules<NonNullable<Parameters<typeof winsorize>[1]>> = {
  share: numbers("a number from 0 to below 0.5", (share) => share >= 0 && share < 0.5, "0.01"),
  score: TEXT,
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
  checkOptions("call winsorize()", options, RULES);
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
