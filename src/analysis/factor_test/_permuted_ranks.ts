import { Argsort, type SessionOrder } from "../dense/rank/orders.ts";

/**
 * The rank correlation of one session, with its exact mean and variance over all permutations of the
 * returns among stocks, within each group (Strasser and Weber, 1999).
 */
export class PermutedRanks {
  /** Number of stocks with a score and a return, at the last call. */
  n = 0;
  /** The correlation. */
  ic = 0;
  /** Its mean over all permutations. */
  expected = 0;
  /** Its variance over all permutations. */
  variance = 0;
  readonly #names: Int32Array;
  readonly #scoreRanks: Float64Array;
  readonly #returnRanks: Float64Array;
  readonly #gathered: Float64Array;
  readonly #places: Int32Array;
  readonly #argsort: Argsort;
  readonly #sums: readonly Float64Array[];

  /**
   * @param names Largest number of stocks
   * @param groups Number of groups
   */
  constructor(names: number, groups: number) {
    this.#names = new Int32Array(names);
    this.#scoreRanks = new Float64Array(names);
    this.#returnRanks = new Float64Array(names);
    this.#gathered = new Float64Array(names);
    this.#places = new Int32Array(names);
    this.#argsort = new Argsort(names);
    this.#sums = Array.from({ length: 5 }, () => new Float64Array(groups));
  }

  /**
   * Measures a session.
   *
   * @param scores Its scores, sorted
   * @param returns Its returns by stock; NaN for none
   * @param groupOf The group of a stock
   * @returns True if both sides vary
   */
  measure(
    scores: SessionOrder,
    returns: Float64Array,
    groupOf: (name: number) => number,
  ): boolean {
    this.#gather(scores, returns);
    this.#rankReturns();
    return this.#compare(groupOf);
  }

  #gather({ order, starts, count }: SessionOrder, returns: Float64Array): void {
    const [names, gathered] = [this.#names, this.#gathered];
    let [n, first, isNew] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      isNew |= starts[i]!;
      const value = returns[order[i]!]!;
      if (value !== value) continue;
      if (isNew === 1) {
        this.#scoreRanks.fill((first + n - 1) / 2, first, n);
        first = n;
        isNew = 0;
      }
      names[n] = order[i]!;
      gathered[n++] = value;
    }
    this.#scoreRanks.fill((first + n - 1) / 2, first, n);
    this.n = n;
  }

  #rankReturns(): void {
    const { n } = this;
    const [places, gathered, ranks] = [this.#places, this.#gathered, this.#returnRanks];
    for (let place = 0; place < n; place++) places[place] = place;
    this.#argsort.sort(places, n, { values: gathered, base: 0 });
    for (let first = 0; first < n;) {
      let end = first + 1;
      while (end < n && gathered[places[end]!] === gathered[places[first]!]) end++;
      for (let i = first; i < end; i++) ranks[places[i]!] = (first + end - 1) / 2;
      first = end;
    }
  }

  #compare(groupOf: (name: number) => number): boolean {
    const [counts, a, aa, b, bb] = this.#sums;
    for (const sums of this.#sums) sums.fill(0);
    const middle = (this.n - 1) / 2;
    let products = 0;
    for (let i = 0; i < this.n; i++) {
      const group = groupOf(this.#names[i]!);
      const [x, y] = [this.#scoreRanks[i]! - middle, this.#returnRanks[i]! - middle];
      products += x * y;
      counts![group]!++;
      a![group]! += x;
      aa![group]! += x * x;
      b![group]! += y;
      bb![group]! += y * y;
    }
    let [expected, variance, scores, returns] = [0, 0, 0, 0];
    for (let group = 0; group < counts!.length; group++) {
      const m = counts![group]!;
      if (m === 0) continue;
      scores += aa![group]!;
      returns += bb![group]!;
      expected += a![group]! * b![group]! / m;
      if (m === 1) continue;
      const within = [aa![group]! - a![group]! ** 2 / m, bb![group]! - b![group]! ** 2 / m];
      variance += Math.max(0, within[0]!) * Math.max(0, within[1]!) / (m - 1);
    }
    const size = Math.sqrt(scores * returns);
    this.ic = products / size;
    this.expected = expected / size;
    this.variance = variance / (size * size);
    return size > 0;
  }
}
