import type { IcValues } from "../dense/ic_values.ts";
import { type Orders, sideOf } from "../dense/orders.ts";
import { RankCorrelation } from "../dense/rank_correlation.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Spearman's correlation of the scores of one session with the returns of another, from orders. */
export interface PairIcTask {
  readonly kind: "pair IC";
  /** The scores, sorted. */
  readonly scores: Orders;
  /** The returns of each result, sorted. */
  readonly returns: readonly Orders[];
  /** For each pair the session of the scores; -1 for none. */
  readonly scored: Int32Array;
  /** For each pair the session of the returns; -1 for none. */
  readonly priced: Int32Array;
  /** Below how many names there is none. */
  readonly minNames: number;
  /** The correlations of each pair. */
  readonly results: readonly IcValues[];
}

/** Prepares a {@link PairIcTask}, whose sessions are its pairs. */
export function runPairIc(task: PairIcTask): SessionRunner {
  const { scores, returns, scored, priced, minNames, results } = task;
  const correlation = new RankCorrelation(scores.names);
  return (from, to) => {
    for (let i = from; i < to; i++) {
      for (const [h, result] of results.entries()) {
        if (scored[i] === -1 || priced[i] === -1) {
          result.reasons[i] = 1;
          continue;
        }
        const [x, y] = [sideOf(scores, scored[i]!), sideOf(returns[h]!, priced[i]!)];
        result.values[i] = correlation.measure(x, y, minNames);
        result.counts[i] = correlation.n;
        result.reasons[i] = correlation.reason;
      }
    }
  };
}
