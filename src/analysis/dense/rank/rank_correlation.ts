import type { Reason } from "../../reason.ts";

/** A side of a correlation: the names of one session that have a value, from the lowest to the highest. */
export interface RankedSide {
  /** The names that have a value, ascending by it. */
  readonly order: Int32Array;
  /** 1 at each place of the order whose value differs from that of the place before. */
  readonly starts: Uint8Array;
  /** How many of the order count. */
  readonly count: number;
  /** Whether any two names have the same value. */
  readonly hasTies: boolean;
  /** 1 for each name that has a value, from `base` on. */
  readonly has: Uint8Array;
  /** Where the session begins in `has`. */
  readonly base: number;
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
  readonly #ranks: Int32Array;
  #products = 0;

  /** @param names How many names there are at most */
  constructor(names: number) {
    this.#common = new Int32Array(names);
    this.#ranks = new Int32Array(names);
  }

  /** The correlation; NaN with a reason if there is none. */
  measure(scores: RankedSide, returns: RankedSide, minNames: number): number {
    const scoreTies = scores.hasTies
      ? this.#rank(scores, returns)
      : this.#rankDistinct(scores, returns);
    const n = this.n;
    if (n < Math.max(minNames, 2)) return this.#refuse(1);
    // A constant side is told before the other one is looked at.
    if (scoreTies === n * n * n - n) return this.#refuse(2);
    const returnTies = returns.hasTies
      ? this.#compare(returns, scores)
      : this.#compareDistinct(returns, scores);
    const { rho, reason } = spearman({ n, products: this.#products, scoreTies, returnTies });
    this.reason = reason;
    return rho;
  }

  #refuse(reason: number): number {
    this.reason = reason;
    return NaN;
  }

  /** The same as `#rank` without ties: no branch that a processor would guess wrong. */
  #rankDistinct({ order, count }: RankedSide, { has, base }: RankedSide): number {
    const ranks = this.#ranks;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const name = order[i]!;
      ranks[name] = 2 * n;
      n += has[base + name]!;
    }
    this.n = n;
    return 0;
  }

  /** The same as `#compare` without ties. */
  #compareDistinct({ order, count }: RankedSide, { has, base }: RankedSide): number {
    const ranks = this.#ranks;
    let [n, products] = [0, 0];
    for (let i = 0; i < count; i++) {
      const name = order[i]!;
      const both = has[base + name]!;
      products += both * ranks[name]! * n;
      n += both;
    }
    this.#products = 2 * products;
    return 0;
  }

  /** Notes twice the rank, from 0 on, of each name that the other side has as well; gives Σ (m³ − m) of its ties. */
  #rank({ order, starts, count }: RankedSide, { has, base }: RankedSide): number {
    const common = this.#common;
    const ranks = this.#ranks;
    let [n, first, ties, isNew] = [0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      isNew |= starts[i]!;
      const name = order[i]!;
      if (has[base + name] === 0) continue;
      if (isNew === 1) {
        if (n - first > 1) ties += this.#share(first, n);
        first = n;
        isNew = 0;
      }
      common[n] = name;
      ranks[name] = 2 * n++;
    }
    this.n = n;
    return n - first > 1 ? ties + this.#share(first, n) : ties;
  }

  /** Gives names that are tied their mean rank. */
  #share(first: number, end: number): number {
    const rank = first + end - 1;
    for (let i = first; i < end; i++) this.#ranks[this.#common[i]!] = rank;
    const size = end - first;
    return size * size * size - size;
  }

  /** The same for the other side, whose ranks are multiplied with the noted ones and not kept. */
  #compare({ order, starts, count }: RankedSide, { has, base }: RankedSide): number {
    const ranks = this.#ranks;
    let [n, first, ties, isNew, products, sum] = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      isNew |= starts[i]!;
      const name = order[i]!;
      if (has[base + name] === 0) continue;
      if (isNew === 1) {
        products += sum * (first + n - 1);
        const size = n - first;
        ties += size * size * size - size;
        first = n;
        sum = 0;
        isNew = 0;
      }
      sum += ranks[name]!;
      n++;
    }
    this.#products = products + sum * (first + n - 1);
    const size = n - first;
    return ties + size * size * size - size;
  }
}

/** Doubled ranks, multiplied, with their ties. */
export interface RankProducts {
  /** How many names have both. */
  readonly n: number;
  /** The sum of the products of doubled ranks, which count from 0. */
  readonly products: number;
  /** Σ (m³ − m) over the ties of m names, of the scores. */
  readonly scoreTies: number;
  /** The same of the returns. */
  readonly returnTies: number;
}

/** The correlation of ranks, or NaN and why there is none. */
export function spearman(
  { n, products, scoreTies, returnTies }: RankProducts,
): { rho: number; reason: number } {
  // Of whole ranks from 0 to 2n − 2 in steps of 2; each tie of m names takes (m³ − m) / 3 away.
  const squares = n * n * n - n;
  if (scoreTies === squares) return { rho: NaN, reason: 2 };
  if (returnTies === squares) return { rho: NaN, reason: 3 };
  const covariance = products - n * (n - 1) * (n - 1);
  const rho = covariance / Math.sqrt((squares - scoreTies) / 3 * ((squares - returnTies) / 3));
  // Rounding of the root can leave 1 by its last bit.
  return { rho: Math.max(-1, Math.min(1, rho)), reason: 0 };
}
