import { areSorted, emptyOrders, type Orders } from "../dense/rank/orders.ts";
import { areShared } from "../dense/thread_memory.ts";
import { overSessions } from "./over_sessions.ts";
import type { OrdersTask } from "./run_orders.ts";

const known = new WeakMap<Float64Array, Orders>();

/**
 * The orders of some sessions of values. Each session is sorted once, for whichever function asks first, and stays sorted as long as
 * the values are alive: 7 bytes a session and stock.
 *
 * @param values Sessions × stocks, which nobody changes any more
 * @param span First session, and one more than the last
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

/** Forgets the orders of values, whose memory a whole analysis needs and its result does not. */
export function forgetOrders(values: Float64Array): void {
  known.delete(values);
}
