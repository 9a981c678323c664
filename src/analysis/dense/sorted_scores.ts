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

const UNSORTED = -1;
const known = new WeakMap<Float64Array, SortedScores>();

/** Scores of all sessions, each session sorted when it is first asked for, and once only. */
export class SortedScores {
  readonly #values: Float64Array;
  readonly #width: number;
  readonly #order: Int32Array;
  readonly #starts: Uint8Array;
  readonly #counts: Int32Array;
  readonly #ties: Uint8Array;
  readonly #argsort: Argsort;

  /**
   * The orders of scores; those that correlations made serve buckets as well, as long as the scores are alive.
   *
   * @param scores Sessions × names, which nobody changes any more
   * @param width How many names there are
   */
  static of(scores: Float64Array, width: number): SortedScores {
    let sorted = known.get(scores);
    if (sorted === undefined) known.set(scores, sorted = new SortedScores(scores, width));
    return sorted;
  }

  private constructor(values: Float64Array, width: number) {
    const sessions = width === 0 ? 0 : values.length / width;
    this.#values = values;
    this.#width = width;
    this.#order = new Int32Array(values.length);
    this.#starts = new Uint8Array(values.length);
    this.#counts = new Int32Array(sessions).fill(UNSORTED);
    this.#ties = new Uint8Array(sessions);
    this.#argsort = new Argsort(width);
  }

  /** One session. */
  session(session: number): SortedSession {
    const base = session * this.#width;
    const order = this.#order.subarray(base, base + this.#width);
    const starts = this.#starts.subarray(base, base + this.#width);
    if (this.#counts[session] === UNSORTED) {
      const of = { values: this.#values, base };
      const count = orderNames(order, of, this.#argsort);
      this.#ties[session] = markStarts(starts, { places: order, count, ...of }) ? 1 : 0;
      this.#counts[session] = count;
    }
    return { order, starts, count: this.#counts[session]!, hasTies: this.#ties[session] === 1 };
  }
}
