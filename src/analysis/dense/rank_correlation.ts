import type { Reason } from "../reason.ts";

/** A side of a correlation: values of one session, and its names from the lowest to the highest value. */
export interface RankedSide {
  /** Values of all sessions; NaN stands for none. */
  readonly values: Float64Array;
  /** Where the session begins in the values. */
  readonly base: number;
  /** The names of the session that have a value, ascending by it. */
  readonly order: Int32Array;
  /** How many of the order count. */
  readonly count: number;
}

/** Why a correlation is null, as the number that typed arrays keep; 0 if it is not. */
export const NULL_REASONS: readonly (Reason | null)[] = [
  null,
  "too_few_names",
  "constant_scores",
  "constant_returns",
];

/**
 * Spearman's correlation of two sides of one session over the names that have both, with average ranks for ties.
 *
 * Doubled ranks are whole numbers, so that the sums are exact up to 100,000 names and do not depend on any order.
 */
export class RankCorrelation {
  /** How many names had both, at the last call. */
  n = 0;
  /** Why the last call gave none, as an index into the reasons; 0 if it gave one. */
  reason = 0;
  readonly #common: Int32Array;
  readonly #ranks: Float64Array;
  #covariance = 0;

  /** @param names How many names there are at most */
  constructor(names: number) {
    this.#common = new Int32Array(names);
    this.#ranks = new Float64Array(names);
  }

  /** The correlation; NaN with a reason if there is none. */
  measure(scores: RankedSide, returns: RankedSide, minNames: number): number {
    const n = this.n = this.#restrict(scores, returns);
    if (n < Math.max(minNames, 2)) return this.#refuse(1);
    const ofScores = this.#rank(scores, n);
    if (ofScores === 0) return this.#refuse(2);
    this.#restrict(returns, scores);
    const ofReturns = this.#compare(returns, n);
    if (ofReturns === 0) return this.#refuse(3);
    this.reason = 0;
    return clamp(this.#covariance / Math.sqrt(ofScores * ofReturns));
  }

  #refuse(reason: number): number {
    this.reason = reason;
    return NaN;
  }

  /** Collects the names of one side, in its order, that the other has as well. */
  #restrict(side: RankedSide, other: RankedSide): number {
    const { order, count } = side;
    const { values, base } = other;
    const common = this.#common;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const name = order[i]!;
      const value = values[base + name]!;
      if (value === value) common[n++] = name;
    }
    return n;
  }

  /** Notes twice each name's average rank, counted from the middle; gives the sum of their squares. */
  #rank({ values, base }: RankedSide, n: number): number {
    const common = this.#common;
    const ranks = this.#ranks;
    let squares = 0;
    for (let start = 0; start < n;) {
      const end = endOfTie(common, start, n, values, base);
      const rank = start + end - n;
      for (let i = start; i < end; i++) ranks[common[i]!] = rank;
      squares += (end - start) * rank * rank;
      start = end;
    }
    return squares;
  }

  /** The same for the other side, whose ranks are multiplied with the noted ones and not kept. */
  #compare({ values, base }: RankedSide, n: number): number {
    const common = this.#common;
    const ranks = this.#ranks;
    let squares = 0;
    let products = 0;
    for (let start = 0; start < n;) {
      const end = endOfTie(common, start, n, values, base);
      const rank = start + end - n;
      for (let i = start; i < end; i++) products += ranks[common[i]!]! * rank;
      squares += (end - start) * rank * rank;
      start = end;
    }
    this.#covariance = products;
    return squares;
  }
}

/** One more than the last place that has the value of the first. */
function endOfTie(
  places: Int32Array,
  start: number,
  n: number,
  values: Float64Array,
  base: number,
): number {
  const value = values[base + places[start]!]!;
  let end = start + 1;
  while (end < n && values[base + places[end]!] === value) end++;
  return end;
}

// Rounding of the root can leave 1 by its last bit.
function clamp(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
