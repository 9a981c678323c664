import type { DenseScores } from "../../dense/dense_scores.ts";
import { emptyIcValues, type IcValues } from "../../dense/ic_values.ts";
import type { Orders } from "../../dense/order/orders.ts";
import type { SideOrders } from "../../dense/order/side_orders.ts";
import { sortedArrays } from "../../dense/order/sorted_scores.ts";
import { overSessions } from "../../threads/over_sessions.ts";
import type { PairIcTask } from "../../threads/run_pair_ic.ts";
import type { PartIcTask } from "../../threads/run_part_ic.ts";
import type { RankIcTask } from "../../threads/run_rank_ic.ts";
import { areShared, bufferOf } from "../../threads/shared_buffer.ts";
import { ordersOfSpan } from "./sort_orders.ts";

// A session of returns stays at hand for its pairs.
const NEIGHBOURS = 64;

/** What is correlated. */
export interface RankIcInput {
  /** The scores of all sessions, or what stands for them. */
  readonly scores: Float64Array;
  /** The returns of each column of the result. */
  readonly returns: readonly Float64Array[];
  /** First session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** How many names there are. */
  readonly width: number;
  /** Below how many names there is none. */
  readonly minNames: number;
  /**
   * Orders that are known.
   *
   * @default none
   */
  readonly orders?: SideOrders;
}

/**
 * Spearman's correlation of scores with returns in every session: the scores are sorted once a session,
 * for whichever function asks, and each horizon's returns once.
 */
export function rankIc(
  { scores, returns, span, width, minNames, orders }: RankIcInput,
): readonly IcValues[] {
  const [first, end] = span;
  const sides = [scores, ...returns].map((values) => orders?.get(values));
  if (sides.every((side) => side !== undefined)) {
    const sessions = Int32Array.from({ length: end - first }, (_, i) => first + i);
    const pairs = { scored: sessions, priced: sessions, minNames };
    return rankIcOfOrders(sides[0]!, sides.slice(1), pairs);
  }
  const { results } = overSessions<RankIcTask>({
    span,
    width,
    isShared: areShared(scores, ...returns),
    make: (isShared) => ({
      kind: "rank IC",
      sorted: sortedArrays(scores, width, isShared),
      returns,
      minNames,
      first,
      results: returns.map(() => emptyIcValues(end - first, isShared)),
    }),
  });
  return results;
}

/** Parts of the names of each session. */
export interface PartIcInput extends Omit<RankIcInput, "returns"> {
  /** The returns. */
  readonly returns: Float64Array;
  /** The part of each session and name; -1 for none. */
  readonly codes: Int32Array;
  /** How many parts there are. */
  readonly parts: number;
}

/** The same for the parts of the names of each session; a result for each part. */
export function rankIcOfParts(
  { scores, returns, span, width, minNames, orders, codes, parts }: PartIcInput,
): readonly IcValues[] {
  const [first, end] = span;
  const [x, y] = [scores, returns].map((values) => ordersOfSpan(values, { span, width, orders }));
  const { results } = overSessions<PartIcTask>({
    span: [0, end - first],
    width,
    isShared: areShared(x!.orders.order, y!.orders.order, codes),
    make: (isShared) => ({
      kind: "part IC",
      sides: [x!, y!],
      codes,
      first,
      minNames,
      results: Array.from({ length: parts }, () => emptyIcValues(end - first, isShared)),
    }),
  });
  return results;
}

/** Which sessions are correlated. */
export interface SessionPairs {
  /** The session of the scores of each pair; -1 for none. */
  readonly scored: Int32Array;
  /** The session of its returns; -1 for none. Pairs that share it are faster next to each other. */
  readonly priced: Int32Array;
  /** Below how many names there is no correlation. */
  readonly minNames: number;
}

/**
 * Correlations of scores with returns of later (or, around the end, earlier) sessions, from orders that were sorted before.
 *
 * @param returns The returns of each result
 * @param of The pairs
 */
export function rankIcOfOrders(
  scores: Orders,
  returns: readonly Orders[],
  { scored, priced, minNames }: SessionPairs,
): readonly IcValues[] {
  const pairs = scored.length;
  const placed = (places: Int32Array, isShared: boolean) => {
    const copy = new Int32Array(bufferOf(4 * pairs, isShared));
    copy.set(places);
    return copy;
  };
  const { results } = overSessions<PairIcTask>({
    span: [0, pairs],
    width: scores.names,
    atLeast: NEIGHBOURS,
    isShared: areShared(scores.order, ...returns.map(({ order }) => order)),
    make: (isShared) => ({
      kind: "pair IC",
      scores,
      returns,
      scored: placed(scored, isShared),
      priced: placed(priced, isShared),
      minNames,
      results: returns.map(() => emptyIcValues(pairs, isShared)),
    }),
  });
  return results;
}

/** The returns minus their mean by session and group, over the names that have both; NaN without a group. */
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
