import { emptyOrders, type Orders } from "../../dense/orders.ts";
import { overSessions } from "../../threads/over_sessions.ts";
import type { OrdersTask } from "../../threads/run_orders.ts";
import { areShared } from "../../threads/shared_buffer.ts";

/** Sorts the names of every session by their values, with the help of other threads where those are shared. */
export function sortOrders(values: Float64Array, names: number): Orders {
  const { orders } = overSessions<OrdersTask>({
    span: [0, names === 0 ? 0 : values.length / names],
    width: names,
    isShared: areShared(values),
    make: (isShared) => ({ kind: "orders", values, orders: emptyOrders(values, names, isShared) }),
  });
  return orders;
}
