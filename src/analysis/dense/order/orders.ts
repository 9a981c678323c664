import { areShared, bufferOf } from "../../threads/shared_buffer.ts";
import { Argsort } from "./argsort.ts";
import type { RankedSide } from "../rank/rank_correlation.ts";
import { emptyRankRows, fillRankRow, type RankRows } from "../rank/rank_rows.ts";

/** The names of each session from the lowest to the highest value, kept so that a side is sorted once. */
export interface Orders {
  /** Names by session, ascending by value. */
  readonly order: Int32Array;
  /** 1 at each place of the order whose value differs from that of the place before. */
  readonly starts: Uint8Array;
  /** 1 for each session and name that has a value. */
  readonly has: Uint8Array;
  /** How many names of each session have a value. */
  readonly counts: Int32Array;
  /** 1 for each session in which any two names have the same value. */
  readonly ties: Uint8Array;
  /** The ranks by name; `null` if there are too many names for them. */
  readonly rows: RankRows | null;
  /** How many names there are. */
  readonly names: number;
}

/** Sorts the names of every session by their values; equal values in the order of tickers. */
export function ordersOf(values: Float64Array, names: number): Orders {
  const orders = emptyOrders(values, names);
  const sort = ordersSorter(values, orders);
  for (let session = 0; session < orders.counts.length; session++) sort(session);
  return orders;
}

/** Orders to be filled, in memory that threads share where the values are. */
export function emptyOrders(
  values: Float64Array,
  names: number,
  isShared: boolean = areShared(values),
): Orders {
  const sessions = names === 0 ? 0 : values.length / names;
  return {
    order: new Int32Array(bufferOf(4 * values.length, isShared)),
    starts: new Uint8Array(bufferOf(values.length, isShared)),
    has: new Uint8Array(bufferOf(values.length, isShared)),
    counts: new Int32Array(bufferOf(4 * sessions, isShared)),
    ties: new Uint8Array(bufferOf(sessions, isShared)),
    rows: emptyRankRows(sessions, names, isShared),
    names,
  };
}

/** Prepares the sorting of single sessions. */
export function ordersSorter(
  values: Float64Array,
  { order, starts, has, counts, ties, rows, names }: Orders,
): (session: number) => void {
  const argsort = new Argsort(names);
  return (session) => {
    const base = session * names;
    const places = order.subarray(base, base + names);
    const count = orderNames(places, { values, base }, argsort);
    const own = starts.subarray(base, base + names);
    ties[session] = markStarts(own, { places, count, values, base }) ? 1 : 0;
    counts[session] = count;
    markNames(has.subarray(base, base + names), { values, base });
    if (rows !== null) fillRankRow(rows, session, { order: places, starts: own, count });
  };
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
    order: orders.order.subarray(base, base + orders.names),
    starts: orders.starts.subarray(base, base + orders.names),
    count: orders.counts[session]!,
    hasTies: orders.ties[session] === 1,
    has: orders.has,
    base,
  };
}

/** Marks where values begin, and says whether any two are the same. */
export function markStarts(
  starts: Uint8Array,
  { places, count, values, base }: {
    places: Int32Array;
    count: number;
    values: Float64Array;
    base: number;
  },
): boolean {
  let before = NaN;
  let distinct = 0;
  for (let i = 0; i < count; i++) {
    const value = values[base + places[i]!]!;
    const isNew = value === before ? 0 : 1;
    starts[i] = isNew;
    distinct += isNew;
    before = value;
  }
  return distinct < count;
}

function markNames(
  has: Uint8Array,
  { values, base }: { values: Float64Array; base: number },
): void {
  for (let name = 0; name < has.length; name++) {
    const value = values[base + name]!;
    has[name] = value === value ? 1 : 0;
  }
}
