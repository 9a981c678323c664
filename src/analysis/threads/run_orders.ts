import { type Orders, sessionSorter } from "../dense/rank/orders.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Sorting of the stocks of each session by their values. */
export interface OrdersTask {
  readonly kind: "orders";
  /** Values of all sessions. */
  readonly values: Float64Array;
  /** Resulting orders. */
  readonly orders: Orders;
}

/** Prepares an {@link OrdersTask}. */
export function runOrders({ values, orders }: OrdersTask): SessionRunner {
  const sort = sessionSorter(values, orders);
  return (from, to) => {
    for (let session = from; session < to; session++) sort(session);
  };
}
