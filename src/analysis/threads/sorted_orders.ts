import { areSorted, emptyOrders, type Orders } from "../dense/rank/orders.ts";
import { areShared } from "../dense/thread_memory.ts";
import { overSessions } from "./over_sessions.ts";
import type { OrdersTask } from "./session_task.ts";

const known = new WeakMap<Float64Array, Orders>();

/**
 * Sorted orders of some sessions of values. Each session is sorted once, at the first request, and the order is kept as long as
 * the values are: 7 bytes per session and stock.
 *
 * @param values Sessions × stocks, no longer modified
 * @param span First session and the one after the last
 */
export function sortedOrders(
  values: Float64Array,
  names: number,
  span: readonly [from: number, to: number] = [0, names === 0 ? 0 : values.length / names],
): Orders {
  const found = known.get(values);
  if (found !== undefined && areSorted(found, span)) return found;
  return overSessions<OrdersTask>({
    span,
    width: names,
    isShared: areShared(values),
    make: (isShared) => {
      let orders = known.get(values);
      if (orders === undefined || areShared(orders.order) !== isShared) {
        known.set(values, orders = emptyOrders(values, names, isShared));
      }
      return { kind: "orders", values, orders };
    },
  }).orders;
}

/** Frees the orders of values: an analysis needs them, its result does not. */
export function forgetOrders(values: Float64Array): void {
  known.delete(values);
}
