import type { DenseScores } from "../dense/dense_scores.ts";
import { type Orders, ordersOf } from "../dense/orders.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { rankIcOfOrders } from "../cross_section/rank_ic.ts";
import type { ShiftedMeans } from "../series/noise_control.ts";

const MIN_NAMES = 10;

/**
 * The mean rank ICs of all horizons after the scores were moved by a number of sessions, in the circle of their
 * sessions. Each side is sorted once, whatever the number of shifts.
 */
export function shiftScores(dense: DenseScores): ShiftedMeans {
  const { from, to, tickers, periods } = dense;
  const width = tickers.length;
  const scores = ordersOf(dense.scores, width);
  const returns = new Map<number, Orders>(
    periods.map((horizon) => [horizon, ordersOf(returnsOf("shift scores", dense, horizon), width)]),
  );
  const n = to - from;
  return (shift) => {
    const pairs = Array.from({ length: n }, (_, i) => [from + (i + shift) % n, from + i] as const);
    return new Map(periods.map((horizon) => {
      const { values } = rankIcOfOrders(scores, returns.get(horizon)!, {
        pairs,
        minNames: MIN_NAMES,
      });
      return [horizon, meanOfKnown(values)];
    }));
  };
}

function meanOfKnown(values: Float64Array): number | null {
  let [sum, n] = [0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    sum += value;
    n++;
  }
  return n === 0 ? null : sum / n;
}
