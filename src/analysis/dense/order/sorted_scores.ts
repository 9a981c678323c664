import { areShared, bufferOf } from "../../threads/shared_buffer.ts";
import { Argsort } from "./argsort.ts";
import { markStarts, orderNames } from "./orders.ts";

/** The names of one session from the lowest to the highest score. */
export interface SortedSession {
  /** The names that have a score, ascending by it; equal scores in the order of tickers. */
  readonly order: Int32Array;
  /** 1 at each place of the order whose score differs from that of the place before. */
  readonly starts: Uint8Array;
  /** How many of the order count. */
  readonly count: number;
  /** Whether any two names have the same score. */
  readonly hasTies: boolean;
}

/** Scores of all sessions and their orders, as far as they are known. */
export interface SortedArrays {
  /** The scores, sessions × names. */
  readonly values: Float64Array;
  /** How many names there are. */
  readonly width: number;
  /** The orders, laid out as the scores. */
  readonly order: Int32Array;
  /** The starts of equal scores, laid out as the scores. */
  readonly starts: Uint8Array;
  /** How many names have a score in each session; -1 for a session that was not sorted. */
  readonly counts: Int32Array;
  /** 1 for each session in which any two names have the same score. */
  readonly ties: Uint8Array;
}

const UNSORTED = -1;
const known = new WeakMap<Float64Array, SortedArrays>();

/**
 * The orders of scores, to be filled; what correlations sorted serves buckets as well, as long as the scores are alive.
 *
 * @param values Sessions × names, which nobody changes any more
 * @param width How many names there are
 * @param isShared Whether threads share the orders
 */
export function sortedArrays(
  values: Float64Array,
  width: number,
  isShared: boolean = areShared(values),
): SortedArrays {
  const found = known.get(values);
  if (found !== undefined && areShared(found.order) === isShared) return found;
  const sessions = width === 0 ? 0 : values.length / width;
  const arrays = {
    values,
    width,
    order: new Int32Array(bufferOf(4 * values.length, isShared)),
    starts: new Uint8Array(bufferOf(values.length, isShared)),
    counts: new Int32Array(bufferOf(4 * sessions, isShared)).fill(UNSORTED),
    ties: new Uint8Array(bufferOf(sessions, isShared)),
  };
  known.set(values, arrays);
  return arrays;
}

/** Scores of all sessions, each session sorted when it is first asked for, and once only. */
export class SortedScores {
  readonly #arrays: SortedArrays;
  readonly #argsort: Argsort;

  /** @param arrays The scores, and where their orders are kept */
  constructor(arrays: SortedArrays) {
    this.#arrays = arrays;
    this.#argsort = new Argsort(arrays.width);
  }

  /** One session. */
  session(session: number): SortedSession {
    const { values, width, counts, ties } = this.#arrays;
    const base = session * width;
    const order = this.#arrays.order.subarray(base, base + width);
    const starts = this.#arrays.starts.subarray(base, base + width);
    if (counts[session] === UNSORTED) {
      const count = orderNames(order, { values, base }, this.#argsort);
      ties[session] = markStarts(starts, { places: order, count, values, base }) ? 1 : 0;
      counts[session] = count;
    }
    return { order, starts, count: counts[session]!, hasTies: ties[session] === 1 };
  }
}
