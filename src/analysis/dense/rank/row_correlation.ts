import { Argsort } from "../order/argsort.ts";
import type { PlacedValues } from "../order/placed_values.ts";
import { spearman } from "./rank_correlation.ts";
import type { SortedSession } from "../order/sorted_scores.ts";

/**
 * Spearman's correlation of sorted scores with returns that are not: the returns are gathered in the order of the scores,
 * so that their places are the ranks of the scores, and then sorted. The same bits as those of two sorted sides.
 */
export class RowCorrelation {
  /** How many names had both, at the last call. */
  n = 0;
  /** Why the last call gave none, as an index into the reasons; 0 if it gave one. */
  reason = 0;
  readonly #gathered: Float64Array;
  readonly #places: Int32Array;
  readonly #distinctRanks: Int32Array;
  readonly #ranks: Int32Array;
  readonly #argsort: Argsort;
  #scoreTies = 0;
  #products = 0;

  /** @param names How many names there are at most */
  constructor(names: number) {
    this.#gathered = new Float64Array(names);
    this.#places = new Int32Array(names);
    this.#distinctRanks = Int32Array.from({ length: names }, (_, place) => 2 * place);
    this.#ranks = new Int32Array(names);
    this.#argsort = new Argsort(names);
  }

  /** The correlation; NaN with a reason if there is none. */
  measure(scores: SortedSession, returns: PlacedValues, minNames: number): number {
    const n = this.n = scores.hasTies
      ? this.#gatherTied(scores, returns)
      : this.#gather(scores, returns);
    const { rho, reason } = n < Math.max(minNames, 2)
      ? { rho: NaN, reason: 1 }
      : this.#compare(scores.hasTies);
    this.reason = reason;
    return rho;
  }

  #compare(hasTies: boolean): { rho: number; reason: number } {
    const { n } = this;
    const places = this.#places;
    for (let place = 0; place < n; place++) places[place] = place;
    this.#argsort.sort(places, n, { values: this.#gathered, base: 0 });
    const returnTies = this.#multiply(hasTies ? this.#ranks : this.#distinctRanks);
    const scoreTies = hasTies ? this.#scoreTies : 0;
    return spearman({ n, products: this.#products, scoreTies, returnTies });
  }

  /** The returns of names that have both, by score. */
  #gather({ order, count }: SortedSession, { values, base }: PlacedValues): number {
    const gathered = this.#gathered;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const value = values[base + order[i]!]!;
      gathered[n] = value;
      n += value === value ? 1 : 0;
    }
    return n;
  }

  /** The same with the doubled ranks, from 0 on, of scores of which some are equal. */
  #gatherTied({ order, starts, count }: SortedSession, { values, base }: PlacedValues): number {
    const gathered = this.#gathered;
    this.#scoreTies = 0;
    let [n, first, isNew] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      isNew |= starts[i]!;
      const value = values[base + order[i]!]!;
      if (value !== value) continue;
      if (isNew === 1) {
        this.#share(first, n);
        first = n;
        isNew = 0;
      }
      gathered[n++] = value;
    }
    this.#share(first, n);
    return n;
  }

  /** Gives places that are tied their mean rank. */
  #share(first: number, end: number): void {
    this.#ranks.fill(first + end - 1, first, end);
    const size = end - first;
    this.#scoreTies += size * size * size - size;
  }

  /** Multiplies the ranks of both sides; gives Σ (m³ − m) of the ties of the returns. */
  #multiply(ranks: Int32Array): number {
    const [gathered, places] = [this.#gathered, this.#places];
    let [products, ties, sum, first] = [0, 0, 0, 0];
    let before = gathered[places[0]!]!;
    for (let i = 0; i < this.n; i++) {
      const place = places[i]!;
      const value = gathered[place]!;
      if (value !== before) {
        products += sum * (first + i - 1);
        const size = i - first;
        ties += size * size * size - size;
        first = i;
        sum = 0;
        before = value;
      }
      sum += ranks[place]!;
    }
    this.#products = products + sum * (first + this.n - 1);
    const size = this.n - first;
    return ties + size * size * size - size;
  }
}
