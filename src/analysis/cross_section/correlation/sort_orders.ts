import { emptyOrders, type Orders } from "../../dense/order/orders.ts";
import type { SideOrders } from "../../dense/order/side_orders.ts";
import { sortedArrays } from "../../dense/order/sorted_scores.ts";
import { overSessions } from "../../threads/over_sessions.ts";
import type { OrdersTask } from "../../threads/run_orders.ts";
import { areShared } from "../../threads/shared_buffer.ts";

/** How orders are made. */
export interface SortOptions {
  /**
   * Whether whatever sorts the same values later, as buckets do, finds them sorted.
   *
   * @default false
   */
  readonly isKept?: boolean;
}

/** Sorts the names of every session by their values, with the help of other threads where those are shared. */
export function sortOrders(
  values: Float64Array,
  names: number,
  { isKept = false }: SortOptions = {},
): Orders {
  const { orders } = overSessions<OrdersTask>({
    span: [0, names === 0 ? 0 : values.length / names],
    width: names,
    isShared: areShared(values),
    make: (isShared) => {
      const empty = emptyOrders(values, names, isShared);
      if (!isKept) return { kind: "orders", values, orders: empty };
      const { order, starts, counts, ties } = sortedArrays(values, names, isShared);
      return { kind: "orders", values, orders: { ...empty, order, starts, counts, ties } };
    },
  });
  return orders;
}

/** Orders of some sessions, and which of theirs is the first of these. */
export interface SpanOrders {
  /** The orders. */
  readonly orders: Orders;
  /** Where the first session of the span stands among theirs. */
  readonly first: number;
}

/** Which sessions are wanted. */
export interface SpanOptions {
  /** First session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** How many names there are. */
  readonly width: number;
  /**
   * Orders that are known.
   *
   * @default none
   */
  readonly orders?: SideOrders | undefined;
}

/** The orders of some sessions: those of the sample if it was sorted before, or of these sessions alone. */
export function ordersOfSpan(
  values: Float64Array,
  { span: [from, to], width, orders }: SpanOptions,
): SpanOrders {
  const known = orders?.get(values);
  if (known !== undefined) return { orders: known, first: from };
  return { orders: sortOrders(values.subarray(from * width, to * width), width), first: 0 };
}
