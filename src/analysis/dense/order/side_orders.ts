import type { DenseScores } from "../dense_scores.ts";
import type { Orders } from "./orders.ts";

/** Orders of scores and returns, by what was sorted. */
export type SideOrders = ReadonlyMap<Float64Array, Orders>;

/** Dense scores with the orders of their sides, which whatever is asked of them finds. */
export interface SortedDense extends DenseScores {
  /** The orders. */
  readonly orders: SideOrders;
}

const NONE: SideOrders = new Map();

/** The orders that dense scores bear; none if their sides were not sorted. */
export function sideOrders(dense: DenseScores): SideOrders {
  return "orders" in dense ? (dense as SortedDense).orders : NONE;
}
