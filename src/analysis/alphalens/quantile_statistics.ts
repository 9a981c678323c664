import type { DataFrame } from "nodejs-polars";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { type HasBuckets, toQuantized } from "../cross_section/buckets/to_quantized.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";

/** Columns of the table, in order. */
const STATISTICS_COLUMNS = {
  quantile: "count",
  min: "number",
  max: "number",
  mean: "number",
  deviation: "number",
  rows: "count",
  share: "number",
} as const;

/**
 * Statistics of the scores in each quantile, over all sessions.
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
export function quantileStatistics(
  data: HasBuckets | DataFrame,
): TableFrame<typeof STATISTICS_COLUMNS> {
  const { dense, buckets, count } = toQuantized("describe quantiles", data);
  const scores = Array.from({ length: count }, (): number[] => []);
  for (const [cell, bucket] of buckets.entries()) {
    if (bucket !== 0) scores[bucket - 1]!.push(dense.scores[cell]!);
  }
  const all = scores.reduce((sum, { length }) => sum + length, 0);
  const rows = scores.map((values, i) => ({ quantile: i + 1, values }));
  const of =
    (read: (values: readonly number[]) => number | null) => ({ values }: typeof rows[number]) =>
      values.length === 0 ? null : read(values);
  return tableOfRows(rows, STATISTICS_COLUMNS, {
    min: of((values) => values.reduce((a, b) => Math.min(a, b))),
    max: of((values) => values.reduce((a, b) => Math.max(a, b))),
    mean: of(meanOf),
    deviation: of(deviationOf),
    rows: ({ values }) => values.length,
    share: of(({ length }) => length / all),
  });
}
