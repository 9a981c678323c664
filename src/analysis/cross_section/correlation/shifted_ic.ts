import type { DenseScores } from "../../dense/dense_scores.ts";
import type { Orders } from "../../dense/orders.ts";
import { rankIcOfOrders } from "./rank_ic.ts";

/** Both sides of the correlations, sorted. */
export interface SortedSides {
  /** The scores. */
  readonly scores: Orders;
  /** The returns of each horizon. */
  readonly returns: readonly Orders[];
}

/**
 * Prepares the noise control of rank correlations: each side was sorted once, and a shift of the scores of all names by a
 * number of sessions, in a circle, costs two walks a session and horizon.
 *
 * @returns The mean correlation by horizon after a shift; `null` where no session has one
 */
export function shiftedIcMeans(
  { from, to, periods }: Pick<DenseScores, "from" | "to" | "periods">,
  { scores, returns }: SortedSides,
  minNames = 10,
): (shift: number) => ReadonlyMap<number, number | null> {
  const count = to - from;
  return (shift) => {
    const pairs = Array.from({ length: count }, (_, i): [number, number] => [
      from + (i + shift) % count,
      from + i,
    ]);
    const all = rankIcOfOrders(scores, returns, { pairs, minNames });
    return new Map(periods.map((horizon, i) => {
      const { values } = all[i]!;
      const known = values.filter((value) => !Number.isNaN(value));
      const sum = known.reduce((total, value) => total + value, 0);
      return [horizon, known.length === 0 ? null : sum / known.length];
    }));
  };
}
