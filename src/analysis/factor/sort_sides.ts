import { sortOrders } from "../cross_section/correlation/sort_orders.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { SortedDense } from "../dense/order/side_orders.ts";
import { takeSteps, type Walk } from "./take_steps.ts";

/**
 * Sorts scores and returns once for all questions of an analysis. The orders take 8 bytes a session, ticker and side,
 * until the questions are answered.
 */
export async function sortSides(dense: DenseScores, walk: Walk): Promise<SortedDense> {
  const sides = [dense.scores, ...dense.returns.values()];
  const orders = await takeSteps(
    walk,
    "sorting",
    sides.map((values) => () =>
      sortOrders(values, dense.tickers.length, { isKept: values === dense.scores })
    ),
  );
  return { ...dense, orders: new Map(sides.map((values, i) => [values, orders[i]!])) };
}
