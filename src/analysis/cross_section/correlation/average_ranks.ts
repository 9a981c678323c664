import { Argsort } from "../../dense/argsort.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import { orderNames } from "../../dense/orders.ts";

/** The rank of each scored name in its session, from 1; equal scores share their average. NaN without a score. */
export function averageRanks(
  { scores, tickers, from, to }: Pick<DenseScores, "scores" | "tickers" | "from" | "to">,
): Float64Array {
  const width = tickers.length;
  const ranks = new Float64Array(scores.length).fill(NaN);
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
