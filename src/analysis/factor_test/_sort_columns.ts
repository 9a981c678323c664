import { assignTogether } from "../cross_section/buckets/assign_buckets.ts";
import { Argsort } from "../dense/order/argsort.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { orderNames } from "../dense/order/orders.ts";

/**
 * Buckets of a column in each session, equal values together.
 *
 * @param within Buckets of another column, within each of which names are sorted; `null` for all names at once
 */
export function sortColumn(
  { tickers, from, to }: DenseScores,
  grid: Float64Array,
  of: { readonly count: number; readonly within: Uint16Array | null; readonly outer: number },
): Uint16Array {
  const width = tickers.length;
  const buckets = new Uint16Array(grid.length);
  const argsort = new Argsort(width);
  const order = new Int32Array(width);
  for (let d = from; d < to; d++) {
    const base = d * width;
    const count = orderNames(order, { values: grid, base }, argsort);
    const parts = of.within === null ? [0] : Array.from({ length: of.outer }, (_, i) => i + 1);
    for (const part of parts) {
      const names = order.subarray(0, count)
        .filter((name) => part === 0 || of.within![base + name] === part);
      // Fewer names than buckets cannot be told apart by them.
      if (names.length < of.count) continue;
      assignTogether({ order: names, count: names.length, scores: grid, base }, of.count, buckets);
    }
  }
  return buckets;
}
