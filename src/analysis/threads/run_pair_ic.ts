import type { IcValues } from "../dense/ic_values.ts";
import { type Orders, sideOf } from "../dense/order/orders.ts";
import { PairCorrelation, type RankedOrders } from "../dense/rank/pair_correlation.ts";
import { RankCorrelation } from "../dense/rank/rank_correlation.ts";
import { ABREAST } from "../dense/rank/multiplied_ranks.ts";
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
  /** For each pair the session of the returns; -1 for none. Neighbours that have the same one are faster. */
  readonly priced: Int32Array;
  /** Below how many names there is none. */
  readonly minNames: number;
  /** The correlations of each pair. */
  readonly results: readonly IcValues[];
}

/** Prepares a {@link PairIcTask}, whose sessions are its pairs. */
export function runPairIc(task: PairIcTask): SessionRunner {
  const { scores, returns, scored, priced, minNames, results } = task;
  if (!isRanked(scores) || !returns.every(isRanked)) return runPairByPair(task);
  const correlation = new PairCorrelation(scores, returns, minNames);
  return (from, to) => {
    for (let at = from; at < to;) {
      const end = endOfBlock(task, at, to);
      if (end > at) {
        const block = { scored: scored.subarray(at, end), priced: priced[at]!, at };
        correlation.measure(block, results);
        at = end;
      } else refuse(results, at++);
    }
  };
}

/** One more than the last of the neighbours that are correlated at once; the pair itself if it is none. */
function endOfBlock({ scored, priced }: PairIcTask, at: number, to: number): number {
  const last = Math.min(to, at + ABREAST);
  let end = at;
  while (end < last && scored[end] !== -1 && priced[end] !== -1 && priced[end] === priced[at]) {
    end++;
  }
  return end;
}

/** The same for more names than ranks are noted of. */
function runPairByPair(
  { scores, returns, scored, priced, minNames, results }: PairIcTask,
): SessionRunner {
  const correlation = new RankCorrelation(scores.names);
  return (from, to) => {
    for (let i = from; i < to; i++) {
      if (scored[i] === -1 || priced[i] === -1) {
        refuse(results, i);
        continue;
      }
      for (const [h, result] of results.entries()) {
        const [x, y] = [sideOf(scores, scored[i]!), sideOf(returns[h]!, priced[i]!)];
        result.values[i] = correlation.measure(x, y, minNames);
        result.counts[i] = correlation.n;
        result.reasons[i] = correlation.reason;
      }
    }
  };
}

function refuse(results: readonly IcValues[], i: number): void {
  for (const { reasons } of results) reasons[i] = 1;
}

function isRanked(orders: Orders): orders is RankedOrders {
  return orders.rows !== null;
}
