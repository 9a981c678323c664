import type { IcValues } from "../dense/ic_values.ts";
import { type Orders, sideOf } from "../dense/orders.ts";
import { RankCorrelation } from "../dense/rank_correlation.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Spearman's correlation of the scores of one session with the returns of another, from orders. */
export interface PairIcTask {
  readonly kind: "pair IC";
  /** The scores, sorted. */
  readonly scores: Orders;
  /** The returns, sorted. */
  readonly returns: Orders;
  /** For each result the session of the scores; -1 for none. */
  readonly scored: Int32Array;
  /** For each result the session of the returns; -1 for none. */
  readonly priced: Int32Array;
  /** Below how many names there is none. */
  readonly minNames: number;
  /** The correlations. */
  readonly result: IcValues;
}

/** Prepares a {@link PairIcTask}, whose sessions are the places of its results. */
export function runPairIc(task: PairIcTask): SessionRunner {
  const { scores, returns, scored, priced, minNames, result } = task;
  const correlation = new RankCorrelation(scores.names);
  return (from, to) => {
    for (let i = from; i < to; i++) {
      if (scored[i] === -1 || priced[i] === -1) {
        result.reasons[i] = 1;
        continue;
      }
      result.values[i] = correlation.measure(
        sideOf(scores, scored[i]!),
        sideOf(returns, priced[i]!),
        minNames,
      );
      result.counts[i] = correlation.n;
      result.reasons[i] = correlation.reason;
    }
  };
}
