import { averageRanks } from "../cross_section/correlation/average_ranks.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";

/** Scale of a column in each session. */
type Transform = "none" | "rank" | "zscore";

/**
 * A column on one scale: as it is; average ranks from −0.5 to 0.5, (R − (n + 1) / 2) / n; or less its mean, over its deviation. A session
 * whose values are all equal has no z-scores.
 */
export function transformColumn(
  dense: DenseScores,
  grid: Float64Array,
  transform: Transform,
): Float64Array {
  if (transform === "none") return grid;
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const result = grid.slice();
  if (transform === "rank") result.set(averageRanks(grid, dense), from * width);
  for (let d = from; d < to; d++) {
    const session = result.subarray(d * width, (d + 1) * width);
    const known = session.filter((value) => !Number.isNaN(value));
    const centre = known.length === 0 ? NaN : meanOf(known);
    const scale = transform === "rank" ? known.length : deviationOf(known) || NaN;
    for (const [name, value] of session.entries()) session[name] = (value - centre) / scale;
  }
  return result;
}
