import { Argsort } from "./argsort.ts";
import type { RankedSide } from "./rank_correlation.ts";

/** The names of each session from the lowest to the highest value, kept so that a side is sorted once. */
export interface Orders {
  /** The values that were sorted. */
  readonly values: Float64Array;
  /** Names by session, ascending by value. */
  readonly order: Int32Array;
  /** How many names of each session have a value. */
  readonly counts: Int32Array;
  /** How many names there are. */
  readonly names: number;
}

/** Sorts the names of every session by their values; equal values in the order of tickers. */
export function ordersOf(values: Float64Array, names: number): Orders {
  const sessions = names === 0 ? 0 : values.length / names;
  const order = new Int32Array(values.length);
  const counts = new Int32Array(sessions);
  const argsort = new Argsort(names);
  for (let d = 0; d < sessions; d++) {
    const base = d * names;
    const places = order.subarray(base, base + names);
    counts[d] = orderNames(places, { values, base }, argsort);
  }
  return { values, order, counts, names };
}

/** Writes the names that have a value, ascending by it, and says how many they are. */
export function orderNames(
  places: Int32Array,
  of: { values: Float64Array; base: number },
  argsort: Argsort,
): number {
  const { values, base } = of;
  const names = places.length;
  let count = 0;
  for (let name = 0; name < names; name++) {
    const value = values[base + name]!;
    if (value === value) places[count++] = name;
  }
  argsort.sort(places, count, of);
  return count;
}

/** One session as a side of a correlation. */
export function sideOf(orders: Orders, session: number): RankedSide {
  const base = session * orders.names;
  return {
    values: orders.values,
    base,
    order: orders.order.subarray(base, base + orders.names),
    count: orders.counts[session]!,
  };
}
