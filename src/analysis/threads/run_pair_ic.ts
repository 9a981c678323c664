import type { IcValues } from "../dense/ic_values.ts";
import { type Orders, sessionsOf } from "../dense/rank/orders.ts";
import { RankCorrelation } from "../dense/rank/rank_correlation.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Spearman correlations between the scores of one session and the returns of another, from sorted orders. */
export interface PairIcTask {
  readonly kind: "pair IC";
  /** Sorted scores. */
  readonly scores: Orders;
  /** Sorted returns of each result. */
  readonly returns: readonly Orders[];
  /** Session of the scores of each pair; -1 for none. */
  readonly scored: Int32Array;
  /** Session of the returns of each pair; -1 for none. */
  readonly priced: Int32Array;
  /** Minimum number of stocks with both for a correlation. */
  readonly minNames: number;
  /** Correlations of each pair. */
  readonly results: readonly IcValues[];
}

/** Prepares a {@link PairIcTask}, whose sessions are its pairs. */
export function runPairIc(task: PairIcTask): SessionRunner {
  const { scored, priced, minNames, results } = task;
  const correlation = new RankCorrelation(task.scores.names);
  const scores = sessionsOf(task.scores);
  const returns = task.returns.map(sessionsOf);
  return (from, to) => {
    for (let pair = from; pair < to; pair++) {
      const [x, y] = [scored[pair]!, priced[pair]!];
      for (const [h, { values, counts, reasons }] of results.entries()) {
        if (x === -1 || y === -1) {
          reasons[pair] = 1;
          continue;
        }
        values[pair] = correlation.measure(scores(x), returns[h]!(y), minNames);
        counts[pair] = correlation.n;
        reasons[pair] = correlation.reason;
      }
    }
  };
}
