import type { DenseScores } from "../dense/dense_scores.ts";
import { ordersOf } from "../dense/orders.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { rankIcOfOrders } from "./rank_ic.ts";

/**
 * Prepares the noise control of rank correlations: each side is sorted once, and a shift of the scores of all names by a
 * number of sessions, in a circle, costs two walks a session and horizon.
 *
 * @returns The mean correlation by horizon after a shift; `null` where no session has one
 */
export function shiftedIcMeans(
  dense: DenseScores,
  minNames = 10,
): (shift: number) => ReadonlyMap<number, number | null> {
  const { from, to, tickers, periods } = dense;
  const count = to - from;
  const scores = ordersOf(dense.scores, tickers.length);
  const returns = periods.map((h) => ordersOf(returnsOf("shift scores", dense, h), tickers.length));
  return (shift) => {
    const pairs = Array.from({ length: count }, (_, i): [number, number] => [
      from + (i + shift) % count,
      from + i,
    ]);
    return new Map(periods.map((horizon, i) => {
      const { values } = rankIcOfOrders(scores, returns[i]!, { pairs, minNames });
      const known = values.filter((value) => !Number.isNaN(value));
      const sum = known.reduce((total, value) => total + value, 0);
      return [horizon, known.length === 0 ? null : sum / known.length];
    }));
  };
}
