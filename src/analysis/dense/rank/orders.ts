import type { DenseScores } from "../dense_frames.ts";

const DIGIT_BITS = 10;
const DIGIT_MASK = (1 << DIGIT_BITS) - 1;
const LAST_BIN = (1 << (2 * DIGIT_BITS)) - 1;
const SMALL = 40;

/** Values to sort by. */
interface PlacedValues {
  /** The values. */
  readonly values: Float64Array;
  /** Index of the first one. */
  readonly base: number;
}

/**
 * Sorts indices of an array by their values, ascending; equal values keep the order of their indices.
 *
 * The range of the values is divided into a million bins of equal width, which two counting passes sort; an insertion sort
 * puts the few values within a bin in order. If an outlier leaves one bin for all others, a comparison sort follows.
 * Values must be neither NaN nor -0.
 */
export class Argsort {
  readonly #bins: Int32Array;
  readonly #half: Int32Array;
  readonly #sorted: Int32Array;
  readonly #low = new Int32Array(DIGIT_MASK + 1);
  readonly #high = new Int32Array(DIGIT_MASK + 1);

  /** @param capacity Maximum number of indices to sort at once */
  constructor(capacity: number) {
    this.#bins = new Int32Array(capacity);
    this.#half = new Int32Array(capacity);
    this.#sorted = new Int32Array(capacity);
  }

  /**
   * Sorts the first `count` places.
   *
   * @param places Indices into the values from `base` on; sorted in place
   */
  sort(places: Int32Array, count: number, of: PlacedValues): void {
    if (count > SMALL) this.#sortBins(places, count, of);
    if (repair(places, count, of)) return;
    const { values, base } = of;
    places.subarray(0, count).sort((a, b) => values[base + a]! - values[base + b]! || a - b);
  }
  #sortBins(places: Int32Array, count: number, of: PlacedValues): void {
    const [bins, half, sorted] = [this.#bins, this.#half, this.#sorted];
    const [low, high] = [this.#low.fill(0), this.#high.fill(0)];
    fillBins(bins, places, count, of);
    for (let i = 0; i < count; i++) {
      const bin = bins[i]!;
      low[bin & DIGIT_MASK]!++;
      high[bin >> DIGIT_BITS]!++;
    }
    for (let digit = 0, lows = 0, highs = 0; digit <= DIGIT_MASK; digit++) {
      const [ofLow, ofHigh] = [low[digit]!, high[digit]!];
      low[digit] = lows;
      high[digit] = highs;
      lows += ofLow;
      highs += ofHigh;
    }
    for (let i = 0; i < count; i++) half[low[bins[i]! & DIGIT_MASK]!++] = i;
    for (let j = 0; j < count; j++) {
      const i = half[j]!;
      sorted[high[bins[i]! >> DIGIT_BITS]!++] = places[i]!;
    }
    for (let i = 0; i < count; i++) places[i] = sorted[i]!;
  }
}

function fillBins(
  bins: Int32Array,
  places: Int32Array,
  count: number,
  { values, base }: PlacedValues,
): void {
  let min = values[base + places[0]!]!;
  let max = min;
  for (let i = 1; i < count; i++) {
    const value = values[base + places[i]!]!;
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  // Rounding keeps the order. A range of 0 or infinity gives one bin.
  const scale = LAST_BIN / (max - min);
  for (let i = 0; i < count; i++) bins[i] = (values[base + places[i]!]! - min) * scale | 0;
}

/** Insertion sort, linear for nearly sorted values; stops early and returns false for others. */
function repair(places: Int32Array, count: number, { values, base }: PlacedValues): boolean {
  if (count === 0) return true;
  const limit = 8 * count + SMALL * SMALL;
  let moves = 0;
  let before = values[base + places[0]!]!;
  for (let i = 1; i < count; i++) {
    const place = places[i]!;
    const value = values[base + place]!;
    if (value >= before) {
      before = value;
      continue;
    }
    let j = i - 1;
    do {
      places[j + 1] = places[j]!;
      j--;
    } while (j >= 0 && values[base + places[j]!]! > value);
    places[j + 1] = place;
    moves += i - 1 - j;
    if (moves > limit) return false;
  }
  return true;
}

const WORD_BITS = 32;
const UNSORTED = -1;
const MOST_IN_16_BITS = 32_767;

/** Doubled ranks by stock; 16 bits each where they suffice. */
export type Ranks = Uint16Array | Int32Array;

/** The stocks of each session from the lowest to the highest value, and their ranks. */
export interface Orders {
  /** Number of stocks of a session. */
  readonly names: number;
  /** Stocks by session, ascending by value; equal values in the order of tickers. */
  readonly order: Int32Array;
  /** 1 at each place of the order whose value differs from that of the place before. */
  readonly starts: Uint8Array;
  /** Twice the average rank, at least 2, of each session and stock; 0 for no value. */
  readonly ranks: Ranks;
  /** A bit for each session and stock that has a value. */
  readonly masks: Int32Array;
  /** Number of stocks with a value in each session; -1 for a session that is not sorted yet. */
  readonly counts: Int32Array;
  /** Σ (m³ − m) over the ties of m stocks of each session. */
  readonly ties: Float64Array;
}

/** One session of {@link Orders}. */
export interface SessionOrder {
  /** Stocks, ascending by value; the first `count` of them have one. */
  readonly order: Int32Array;
  /** 1 at each place of the order whose value differs from that of the place before. */
  readonly starts: Uint8Array;
  /** Twice the rank of each stock, at least 2; 0 for no value. */
  readonly ranks: Ranks;
  /** A bit for each stock that has a value. */
  readonly mask: Int32Array;
  /** Number of stocks with a value. */
  readonly count: number;
  /** Σ (m³ − m) over the ties of m stocks. */
  readonly ties: number;
}

/**
 * Orders before any session is sorted.
 *
 * @param values Sessions × stocks; NaN for no value
 */
function emptyOrders(values: Float64Array, names: number): Orders {
  const sessions = names === 0 ? 0 : values.length / names;
  const words = sessions * Math.ceil(names / WORD_BITS);
  return {
    names,
    order: new Int32Array(values.length),
    starts: new Uint8Array(values.length),
    ranks: emptyRanks(names, sessions),
    masks: new Int32Array(words),
    counts: new Int32Array(sessions).fill(UNSORTED),
    ties: new Float64Array(sessions),
  };
}

/** Ranks of sessions, all without a value. */
export function emptyRanks(names: number, sessions = 1): Ranks {
  const cells = sessions * names;
  return names <= MOST_IN_16_BITS ? new Uint16Array(cells) : new Int32Array(cells);
}

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
  [from, to]: readonly [from: number, to: number] = [0, names === 0 ? 0 : values.length / names],
): Orders {
  const orders = known.get(values) ?? emptyOrders(values, names);
  known.set(values, orders);
  const sort = sessionSorter(values, orders);
  for (let session = from; session < to; session++) sort(session);
  return orders;
}

/** Frees the orders of values: an analysis needs them, its result does not. */
export function forgetOrders(values: Float64Array): void {
  known.delete(values);
}

/** A function that sorts a session, once. */
function sessionSorter(values: Float64Array, orders: Orders): (session: number) => void {
  const { names, counts, ties } = orders;
  const argsort = new Argsort(names);
  return (session) => {
    if (counts[session] !== UNSORTED) return;
    const { order, starts, ranks, mask } = partsOf(orders, session);
    const of = { values, base: session * names };
    let count = 0;
    for (let name = 0; name < names; name++) {
      const value = values[of.base + name]!;
      if (value === value) order[count++] = name;
    }
    argsort.sort(order, count, of);
    for (let i = 0, before = NaN; i < count; i++) {
      const value = values[of.base + order[i]!]!;
      starts[i] = value === before ? 0 : 1;
      before = value;
    }
    ties[session] = fillRanks(ranks, { order, starts, count });
    for (let i = 0; i < count; i++) mask[order[i]! >> 5]! |= 1 << (order[i]! & 31);
    counts[session] = count;
  };
}

/** A function that returns a session of the orders, created once. */
export function sessionsOf(orders: Orders): (session: number) => SessionOrder {
  const known: SessionOrder[] = [];
  return (session) =>
    known[session] ??= {
      ...partsOf(orders, session),
      count: orders.counts[session]!,
      ties: orders.ties[session]!,
    };
}

function partsOf({ names, order, starts, ranks, masks, counts }: Orders, session: number) {
  const [from, to] = [session * names, (session + 1) * names];
  const words = masks.length / counts.length;
  return {
    order: order.subarray(from, to),
    starts: starts.subarray(from, to),
    ranks: ranks.subarray(from, to),
    mask: masks.subarray(session * words, (session + 1) * words),
  };
}

/** Writes twice the average ranks, at least 2, and returns Σ (m³ − m) over their ties. */
function fillRanks(
  ranks: Ranks,
  { order, starts, count }: Pick<SessionOrder, "order" | "starts" | "count">,
): number {
  let ties = 0;
  for (let start = 0; start < count;) {
    let end = start + 1;
    while (end < count && starts[end] === 0) end++;
    for (let i = start; i < end; i++) ranks[order[i]!] = start + end + 1;
    const size = end - start;
    ties += size * size * size - size;
    start = end;
  }
  return ties;
}

/** The rank of each stock among the values of its session, from 1; equal values share their average, NaN without a value. */
export function averageRanks(
  values: Float64Array,
  { tickers, from, to }: Pick<DenseScores, "tickers" | "from" | "to">,
): Float64Array {
  const width = tickers.length;
  const { ranks } = sortedOrders(values, width, [from, to]);
  return Float64Array.from(
    ranks.subarray(from * width, to * width),
    (doubled) => doubled === 0 ? NaN : doubled / 2,
  );
}
