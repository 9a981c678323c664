import type { IcValues } from "../ic_values.ts";
import { type Orders, sideOf } from "../order/orders.ts";
import { spearman } from "./rank_correlation.ts";
import { ABREAST, MultipliedRanks, type RankRow4 } from "./multiplied_ranks.ts";
import { haveSameNames, isWithin, type RankRows } from "./rank_rows.ts";
import { RestrictedRanks } from "./restricted_ranks.ts";

/** Orders with ranks by name. */
export type RankedOrders = Orders & { readonly rows: RankRows };

/** Sessions of scores that are correlated with one session of returns. */
export interface PairBlock {
  /** The sessions of the scores; no more than are multiplied at once. */
  readonly scored: Int32Array;
  /** The session of the returns. */
  readonly priced: number;
  /** Where the first correlation is put; the others stand behind it. */
  readonly at: number;
}

/**
 * Spearman's correlation of sessions of scores with sessions of returns over the names that have both, from ranks that
 * were noted before: the same bits as those of two sorted sides.
 *
 * The ranks of scores are those among the common names where no scored name lacks a return, and those of returns where no
 * name with a return lacks a score. Otherwise they are counted again, by a walk through the order.
 */
export class PairCorrelation {
  readonly #scores: RankedOrders;
  readonly #returns: readonly RankedOrders[];
  readonly #minNames: number;
  readonly #products: MultipliedRanks;
  readonly #restricted: readonly RestrictedRanks[];
  readonly #unused: Uint16Array;
  readonly #rows: [Uint16Array, Uint16Array, Uint16Array, Uint16Array];
  readonly #counts = new Int32Array(ABREAST);
  readonly #ties = new Float64Array(ABREAST);
  /** Whether all sessions of scores have all names of that of the returns. */
  #isWhole = false;

  /**
   * @param returns The returns of each result
   * @param minNames Below how many names there is no correlation
   */
  constructor(scores: RankedOrders, returns: readonly RankedOrders[], minNames: number) {
    const { names } = scores;
    this.#scores = scores;
    this.#returns = returns;
    this.#minNames = Math.max(minNames, 2);
    this.#products = new MultipliedRanks(names);
    this.#restricted = Array.from({ length: ABREAST }, () => new RestrictedRanks(names));
    this.#unused = new Uint16Array(names);
    this.#rows = [this.#unused, this.#unused, this.#unused, this.#unused];
  }

  /** Writes the correlations of a block, into one result for each horizon. */
  measure(block: PairBlock, results: readonly IcValues[]): void {
    const { priced } = block;
    let before: RankedOrders | null = null;
    for (const [h, returns] of this.#returns.entries()) {
      // Horizons mostly have the same names, for which ranks are counted once.
      if (before === null || !haveSameNames(before.rows, returns.rows, priced)) {
        this.#rankScores(block, returns);
      }
      before = returns;
      const ties = this.#multiply(returns, priced);
      this.#write(block, ties, results[h]!);
    }
  }

  #rankScores({ scored, priced }: PairBlock, returns: RankedOrders): void {
    const [scores, names] = [this.#scores, this.#scores.names];
    const there = { rows: returns.rows, session: priced };
    const has = returns.has.subarray(priced * names, (priced + 1) * names);
    this.#isWhole = true;
    for (let k = 0; k < ABREAST; k++) {
      if (k >= scored.length) {
        this.#rows[k] = this.#unused;
        continue;
      }
      const session = scored[k]!;
      const here = { rows: scores.rows, session };
      this.#isWhole &&= isWithin(there, here);
      if (isWithin(here, there)) {
        this.#rows[k] = scores.rows.ranks.subarray(session * names, (session + 1) * names);
        this.#counts[k] = scores.counts[session]!;
        this.#ties[k] = scores.rows.ties[session]!;
        continue;
      }
      const restricted = this.#restricted[k]!;
      restricted.rank({ side: sideOf(scores, session), has });
      this.#rows[k] = restricted.row;
      this.#counts[k] = restricted.count;
      this.#ties[k] = restricted.ties;
    }
  }

  /** Multiplies the ranks of both sides; gives Σ (m³ − m) of the ties of the returns. */
  #multiply(returns: RankedOrders, priced: number): Float64Array {
    const [products, rows] = [this.#products, this.#rows as RankRow4];
    if (!this.#isWhole) {
      products.ofOrder(sideOf(returns, priced), rows);
      return products.ties;
    }
    const [start, end] = [priced * returns.names, (priced + 1) * returns.names];
    products.ofRows(returns.rows.ranks.subarray(start, end), rows, returns.counts[priced]!);
    return products.ties.fill(returns.rows.ties[priced]!);
  }

  #write({ scored, at }: PairBlock, returnTies: Float64Array, to: IcValues): void {
    for (let k = 0; k < scored.length; k++) {
      const n = this.#counts[k]!;
      const { rho, reason } = n < this.#minNames ? { rho: NaN, reason: 1 } : spearman({
        n,
        products: this.#products.products[k]!,
        scoreTies: this.#ties[k]!,
        returnTies: returnTies[k]!,
      });
      to.values[at + k] = rho;
      to.counts[at + k] = n;
      to.reasons[at + k] = reason;
    }
  }
}
