import pl, { type DataFrame } from "nodejs-polars";
import { checkOptions, numbers, type OptionRules } from "../../base/arguments/check_options.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { presentCells } from "../dense/to_data_frame.ts";
import { quantileOfSorted } from "../../base/statistics/moments.ts";
import type { RowsOf } from "../../frames/frame/typed/rows_of.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";

/** Share winsorised in each tail. */
export interface WinsorizeOptions {
  /** The share of the stocks of a session at each end, below one half. @default 0.01 */
  readonly share?: number;
}

const RULES: OptionRules<WinsorizeOptions> = {
  share: numbers("a number from 0 to below 0.5", (share) => share >= 0 && share < 0.5, "0.01"),
};
const ACTION = "winsorize scores";

/**
 * Winsorises scores session by session: a score below the quantile `share` of its session becomes that quantile, one above
 * 1 − `share` becomes that one. Quantiles are linear, as those of numpy and pandas; equal scores stay equal, and the order of
 * stocks is kept. No later information enters, as it would with limits from the whole sample.
 *
 * The rows of the data, by session and ticker, with `score` replaced; null where it was null. Rank statistics change only where stocks become tied; statistics of values, such as weights or Pearson's correlation, change more.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @returns A frame of the rows of the data, with `score` winsorised
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
  options: WinsorizeOptions = {},
): RowsOf<Data> {
  checkOptions("call winsorize()", options, RULES);
  const { share = 0.01 } = options;
  const dense = toDense(ACTION, data);
  const drawn = drawIn(dense, share);
  const frame = ((data as { data?: DataFrame }).data ?? data) as DataFrame;
  const rows = Float64Array.from(presentCells(dense.present), (cell) => drawn[cell]!);
  return frame.sort(["session", "ticker"]).withColumns(numberColumn("score", rows))
    .select(...frame.columns.map((name) => pl.col(name))) as RowsOf<Data>;
}

/** The scores of all sessions, winsorised by session. */
export function drawIn(
  { scores, tickers, from, to }: Pick<DenseScores, "scores" | "tickers" | "from" | "to">,
  share: number,
): Float64Array {
  const width = tickers.length;
  const drawn = scores.slice();
  for (let d = from; d < to; d++) {
    const session = drawn.subarray(d * width, (d + 1) * width);
    const sorted = session.filter((score) => !Number.isNaN(score)).sort();
    const [low, high] = [share, 1 - share].map((at) => quantileOfSorted(sorted, at));
    for (const [name, score] of session.entries()) {
      session[name] = Math.min(Math.max(score, low!), high!);
    }
  }
  return drawn;
}
