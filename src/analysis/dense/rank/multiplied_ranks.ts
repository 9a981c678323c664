import type { RankedSide } from "./rank_correlation.ts";

/** How many sessions are multiplied with one: a name of it is read once for all of them. */
export const ABREAST = 4;

const MAX_INT32 = 2 ** 31 - 1;

/** Doubled ranks by name, from 2 on, of sessions that are multiplied with one; 0 for a name that does not count. */
export type RankRow4 = readonly [Uint16Array, Uint16Array, Uint16Array, Uint16Array];

/**
 * Multiplies the ranks of one session with those of four others.
 *
 * Products are summed as whole numbers of 32 bits, which processors do fastest, and moved into a double before they
 * could overflow: all sums are exact.
 */
export class MultipliedRanks {
  /** Σ of the products of doubled ranks, which count from 0, at the last call. */
  readonly products = new Float64Array(ABREAST);
  /** Σ (m³ − m) over the ties of the one session among the names that count. */
  readonly ties = new Float64Array(ABREAST);
  readonly #counts = new Int32Array(ABREAST);
  readonly #tied = new Float64Array(ABREAST);
  readonly #rowsRun: number;
  readonly #walkRun: number;

  /** @param names How many names there are */
  constructor(names: number) {
    const square = Math.max(1, names * names);
    this.#rowsRun = Math.max(1, Math.floor(MAX_INT32 / (4 * square)));
    this.#walkRun = Math.max(1, Math.floor(MAX_INT32 / (2 * square)));
  }

  /** All sessions have the same names as the one: ranks meet by name. */
  ofRows(row: Uint16Array, [a, b, c, d]: RankRow4, count: number): void {
    const { products } = this;
    products.fill(-4 * count * count);
    for (let i = 0; i < row.length;) {
      let p = 0, q = 0, r = 0, s = 0;
      for (const end = Math.min(row.length, i + this.#rowsRun); i < end; i++) {
        const rank = row[i]!;
        p = (p + Math.imul(rank, a[i]!)) | 0;
        q = (q + Math.imul(rank, b[i]!)) | 0;
        r = (r + Math.imul(rank, c[i]!)) | 0;
        s = (s + Math.imul(rank, d[i]!)) | 0;
      }
      products[0]! += p;
      products[1]! += q;
      products[2]! += r;
      products[3]! += s;
    }
  }

  /** Sessions with names of their own: the one is ranked again among those of each, by a walk through its order. */
  ofOrder({ order, starts, count, hasTies }: Pick<
    RankedSide,
    "order" | "starts" | "count" | "hasTies"
  >, rows: RankRow4): void {
    const { products, ties } = this;
    for (const sums of [products, ties, this.#counts, this.#tied]) sums.fill(0);
    let from = 0;
    for (let i = 1; hasTies && i < count; i++) {
      if (starts[i] === 1) continue;
      this.#walk(order, from, i - 1, rows);
      from = i + 1;
      while (from < count && starts[from] === 0) from++;
      for (const [k, row] of rows.entries()) this.#share(order, [i - 1, from], row, k);
      i = from;
    }
    this.#walk(order, from, count, rows);
    for (let k = 0; k < ABREAST; k++) {
      const n = this.#counts[k]!;
      products[k] = 2 * products[k]! + this.#tied[k]! - 2 * n * (n - 1);
    }
  }

  /** Names with ranks of their own: as many names of a session as were met before are below. */
  #walk(order: Int32Array, from: number, to: number, [a, b, c, d]: RankRow4): void {
    const [products, counts] = [this.products, this.#counts];
    let k = counts[0]!, l = counts[1]!, m = counts[2]!, n = counts[3]!;
    for (let i = from; i < to;) {
      let p = 0, q = 0, r = 0, s = 0;
      for (const end = Math.min(to, i + this.#walkRun); i < end; i++) {
        const name = order[i]!;
        const e = a[name]!, f = b[name]!, g = c[name]!, h = d[name]!;
        p = (p + Math.imul(e, k)) | 0;
        q = (q + Math.imul(f, l)) | 0;
        r = (r + Math.imul(g, m)) | 0;
        s = (s + Math.imul(h, n)) | 0;
        // 1 for any rank, 0 for none, without a branch.
        k += -e >>> 31;
        l += -f >>> 31;
        m += -g >>> 31;
        n += -h >>> 31;
      }
      products[0]! += p;
      products[1]! += q;
      products[2]! += r;
      products[3]! += s;
    }
    counts.set([k, l, m, n]);
  }

  /** Names that are tied in the one session share the mean of their ranks. */
  #share(order: Int32Array, [from, to]: readonly [number, number], row: Uint16Array, k: number) {
    let [sum, size] = [0, 0];
    for (let i = from; i < to; i++) {
      const rank = row[order[i]!]!;
      sum += rank;
      size += -rank >>> 31;
    }
    this.#tied[k]! += sum * (2 * this.#counts[k]! + size - 1);
    this.ties[k]! += size * size * size - size;
    this.#counts[k]! += size;
  }
}
