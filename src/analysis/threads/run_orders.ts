import { type Orders, ordersSorter } from "../dense/order/orders.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** The names of each session from the lowest to the highest value. */
export interface OrdersTask {
  readonly kind: "orders";
  /** The values of all sessions. */
  readonly values: Float64Array;
  /** The orders. */
  readonly orders: Orders;
}

/** Prepares an {@link OrdersTask}. */
export function runOrders({ values, orders }: OrdersTask): SessionRunner {
  const sort = ordersSorter(values, orders);
  return (from, to) => {
    for (let session = from; session < to; session++) sort(session);
  };
}
