import pl, { type DataFrame } from "nodejs-polars";
import { type HasBuckets, toQuantized } from "../cross_section/buckets/to_quantized.ts";
import { deviationOf, meanOf } from "../../statistics/moments.ts";

/**
 * Scores of the quantiles, over all sessions.
 *
 * One row per quantile: `quantile`, `min`, `max`, `mean`, `deviation` (n − 1; null for one row), `rows`, `share` (of all assigned rows).
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns A frame of one row per quantile
 * @see alphalens-reloaded 0.5.1, `plot_quantile_statistics_table` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { quantileStatistics } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B"],
 *   score: [0.1, 0.9],
 *   quantile: [1, 2],
 * });
 * const shares = quantileStatistics(data).getColumn("share").toArray();
 * if (shares.join() !== "0.5,0.5") throw new Error("one row each");
 * ```
 */
export function quantileStatistics(data: HasBuckets | DataFrame): DataFrame {
  const { dense, buckets, count } = toQuantized("describe quantiles", data);
  const scores = Array.from({ length: count }, (): number[] => []);
  for (const [cell, bucket] of buckets.entries()) {
    if (bucket !== 0) scores[bucket - 1]!.push(dense.scores[cell]!);
  }
  const all = scores.reduce((sum, { length }) => sum + length, 0);
  const number = (name: string, read: (values: readonly number[]) => number | null) =>
    pl.Series(
      name,
      scores.map((values) => values.length === 0 ? null : read(values)),
      pl.Float64,
    );
  return pl.DataFrame([
    pl.Series("quantile", scores.map((_, i) => i + 1), pl.Int32),
    number("min", (values) => values.reduce((a, b) => Math.min(a, b))),
    number("max", (values) => values.reduce((a, b) => Math.max(a, b))),
    number("mean", meanOf),
    number("deviation", deviationOf),
    pl.Series("rows", scores.map(({ length }) => length), pl.Int32),
    number("share", ({ length }) => length / all),
  ]);
}
