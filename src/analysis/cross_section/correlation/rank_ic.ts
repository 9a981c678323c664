import type { DenseScores } from "../../dense/dense_scores.ts";
import {
  emptyIcValues,
  type IcValues,
  RankCorrelation,
} from "../../dense/rank/rank_correlation.ts";
import { type Orders, sessionsOf, sortedOrders } from "../../dense/rank/orders.ts";

/** Scores and returns that are correlated. */
export interface RankIcInput {
  /** The scores of all sessions, or a signal in their place. */
  readonly scores: Float64Array;
  /** The returns of each result. */
  readonly returns: readonly Float64Array[];
  /** First session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** Number of stocks of a session. */
  readonly width: number;
  /** Number of stocks with both below which there is no correlation. */
  readonly minNames: number;
}

/** Spearman's correlation of scores with returns in every session. */
export function rankIc(
  { scores, returns, span, width, minNames }: RankIcInput,
): readonly IcValues[] {
  const [x, ...y] = [scores, ...returns].map((values) => sortedOrders(values, width, span));
  const sessions = sessionsFrom(span[0], span[1] - span[0]);
  return rankIcOfPairs(x!, y, { scored: sessions, priced: sessions, minNames });
}

/**
 * The same for one part of the stocks of each session.
 *
 * @param part The part of each session and stock, and the one that counts
 */
export function rankIcOfPart(
  { scores, returns, span: [from, to], width, minNames }: RankIcInput,
  { codes, code }: { readonly codes: Int32Array; readonly code: number },
): readonly IcValues[] {
  const size = (to - from) * width;
  const own = new Float64Array(size);
  for (let cell = 0, of = from * width; cell < size; cell++, of++) {
    own[cell] = codes[of] === code ? scores[of]! : NaN;
  }
  return rankIcOfPairs(
    sortedOrders(own, width),
    returns.map((values) => sortedOrders(values, width, [from, to])),
    { scored: sessionsFrom(0, to - from), priced: sessionsFrom(from, to - from), minNames },
  );
}

function sessionsFrom(first: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => first + i);
}

/**
 * Correlations of the scores of some sessions with the returns of the same or others.
 *
 * @param returns The returns of each result
 * @param of The pairs
 */
export function rankIcOfPairs(
  scores: Orders,
  returns: readonly Orders[],
  { scored, priced, minNames }: { scored: Int32Array; priced: Int32Array; minNames: number },
): readonly IcValues[] {
  const results = returns.map(() => emptyIcValues(scored.length));
  const correlation = new RankCorrelation(scores.names);
  const scoresOf = sessionsOf(scores);
  const returnsOf = returns.map(sessionsOf);
  for (const [pair, x] of scored.entries()) {
    const y = priced[pair]!;
    for (const [h, { values, counts, reasons }] of results.entries()) {
      if (x === -1 || y === -1) {
        reasons[pair] = 1;
        continue;
      }
      values[pair] = correlation.measure(scoresOf(x), returnsOf[h]!(y), minNames);
      counts[pair] = correlation.n;
      reasons[pair] = correlation.reason;
    }
  }
  return results;
}

/** The returns minus their mean by session and group, over the stocks that have both; NaN without a group. */
export function groupNeutralReturns(dense: DenseScores, returns: Float64Array): Float64Array {
  const { scores, tickers, groups, from, to } = dense;
  const width = tickers.length;
  const result = new Float64Array(returns.length).fill(NaN);
  if (groups === null) return result;
  for (let d = from; d < to; d++) {
    const sums = new Float64Array(groups.names.length);
    const counts = new Int32Array(groups.names.length);
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const value = returns[cell]!;
      const group = groups.codes[cell]!;
      if (group === -1 || value !== value || scores[cell] !== scores[cell]) continue;
      sums[group]! += value;
      counts[group]!++;
    }
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const group = groups.codes[cell]!;
      if (group !== -1) result[cell] = returns[cell]! - sums[group]! / counts[group]!;
    }
  }
  return result;
}
