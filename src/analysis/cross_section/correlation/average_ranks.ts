import { Argsort } from "../../dense/order/argsort.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import { orderNames } from "../../dense/order/orders.ts";
import type { SpanOrders } from "./sort_orders.ts";

/**
 * The rank of each scored name in its session, from 1; equal scores share their average. NaN without a score.
 *
 * @param sorted The orders of these sessions, if they are known
 */
export function averageRanks(
  { scores, tickers, from, to }: Pick<DenseScores, "scores" | "tickers" | "from" | "to">,
  sorted: SpanOrders | null = null,
): Float64Array {
  const width = tickers.length;
  const ranks = new Float64Array(scores.length).fill(NaN);
  if (sorted?.orders.rows) {
    const start = (sorted.first - from) * width;
    const doubled = sorted.orders.rows.ranks;
    for (let cell = from * width; cell < to * width; cell++) {
      const rank = doubled[start + cell]!;
      if (rank !== 0) ranks[cell] = rank / 2;
    }
    return ranks;
  }
  const argsort = new Argsort(width);
  const order = new Int32Array(width);
  for (let d = from; d < to; d++) {
    const base = d * width;
    const n = orderNames(order, { values: scores, base }, argsort);
    for (let start = 0; start < n;) {
      const value = scores[base + order[start]!]!;
      let end = start + 1;
      while (end < n && scores[base + order[end]!] === value) end++;
      for (let i = start; i < end; i++) ranks[base + order[i]!] = (start + 1 + end) / 2;
      start = end;
    }
  }
  return ranks;
}
