import type { IcValues } from "../dense/ic_values.ts";
import { RowCorrelation } from "../dense/rank/row_correlation.ts";
import { type SortedArrays, SortedScores } from "../dense/order/sorted_scores.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Spearman's correlation of scores with the returns of each horizon, by session. */
export interface RankIcTask {
  readonly kind: "rank IC";
  /** The scores and their orders, as far as they are known. */
  readonly sorted: SortedArrays;
  /** The returns of each result. */
  readonly returns: readonly Float64Array[];
  /** Below how many names there is none. */
  readonly minNames: number;
  /** The session that stands first in the results. */
  readonly first: number;
  /** The correlations. */
  readonly results: readonly IcValues[];
}

/** Prepares a {@link RankIcTask}. */
export function runRankIc(
  { sorted: arrays, returns, minNames, first, results }: RankIcTask,
): SessionRunner {
  const { width } = arrays;
  const sorted = new SortedScores(arrays);
  const correlation = new RowCorrelation(width);
  return (from, to) => {
    for (let d = from; d < to; d++) {
      const session = sorted.session(d);
      for (const [h, result] of results.entries()) {
        const row = { values: returns[h]!, base: d * width };
        result.values[d - first] = correlation.measure(session, row, minNames);
        result.counts[d - first] = correlation.n;
        result.reasons[d - first] = correlation.reason;
      }
    }
  };
}
