import type { DataFrame } from "nodejs-polars";
import { Argsort, type SessionOrder, sessionsOf, sortedOrders } from "../dense/rank/orders.ts";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import { LEAST_SESSIONS } from "../inference/tested_mean.ts";
import { checkOptions, oneOf, type OptionRules } from "../../base/arguments/check_options.ts";
import { type DenseScores, type HasDense, returnsOf, toDense } from "../dense/dense_frames.ts";
import { normalTwoSided } from "../inference/distributions.ts";
import { universeReturns } from "../portfolio/portfolio_returns.ts";
import type { Reason } from "../reason.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableOf } from "../table/columns.ts";

/**
 * The rank correlation of one session, with its exact mean and variance over all permutations of the
 * returns among stocks, within each group (Strasser and Weber, 1999).
 */
class PermutedRanks {
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

/** Columns of the table, in order. */
export const PERMUTATION_COLUMNS =
  "sessions names mean expected standard_error z p dispersion autocorrelation within reason";

/** Options of a permutation test. */
export interface PermutationTestOptions {
  /**
   * Permutes returns among the stocks of a group in a session, or among all stocks of a session.
   *
   * @default "group" if the data has groups, else "session"
   */
  readonly within?: "group" | "session";
  /** Minimum number of stocks with a score and a return for a session to count. @default 10 */
  readonly minNames?: number;
}

const RULES: OptionRules<PermutationTestOptions> = {
  within: oneOf("group", "session"),
  minNames: MIN_NAMES,
};
const ACTION = "permute returns";
const CELLS_OF_STEP = 250_000;
const MOST_RHO = 0.9;
// Less is rounding.
const NOTHING = 1e-12;

// A beta from fewer sessions is less reliable than a beta of 1.
const LEAST_OF_BETA = 20;

/**
 * Tests whether scores are related to the returns of the next session: compares the mean rank IC with its expectation
 * under permutation of the residual returns among the stocks of each session, within groups if there are any.
 *
 * One row: `sessions` (Int32), `names` (mean number in a session), `mean` (mean rank IC of residual returns), `expected`
 * (its mean over all permutations), `standard_error` (its standard deviation over all permutations, times the square root of
 * `dispersion` where that is above 1, and of (1 + a) / (1 − a) with `autocorrelation` a of adjacent sessions), `z`, `p` (two-sided),
 * `dispersion` (variance of the sessions' ICs over that of permuted ones), `autocorrelation`,
 * `within` (`group` or `session`), `reason`. The test is null with fewer than 20 sessions (`too_few_windows`), and
 * without a session of enough stocks (`too_few_names`) whose scores and returns vary (`no_variance`).
 *
 * No permutation is drawn at random: the mean and the variance over all permutations are exact (Strasser and Weber, 1999), and the mean
 * of 20 sessions or more is normal to a good approximation. A residual return is the return minus beta times the mean return of
 * the scored stocks, minus the mean of its group. A dispersion above 1 shows common movement beyond market and groups;
 * the standard error accounts for it. Permutation preserves the persistence of scores and their dependence on past prices,
 * which a shift in time does not. Returns over longer windows overlap and cannot be permuted by session.
 *
 * Cost: one sort of the residual returns.
 *
 * @param data The result of {@link align}, or a frame of its rows, with returns of one session
 * @returns A frame of one row: the mean rank IC, its expectation under permutation, and the test
 * @throws {TypeError} If an option is unknown, or `within` is `group` and the data have no groups
 * @throws {RangeError} If there are no returns of one session, or minNames is below 2
 * @see Strasser and Weber (1999), On the asymptotic theory of permutation statistics, Mathematical Methods of Statistics 8
 *
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { permutationTest } from "scoreframe/analysis";
 *
 * const cells = Array.from({ length: 20 * 4 }, (_, i) => ({ day: Math.floor(i / 4), name: i % 4 }));
 * const data = pl.DataFrame(cells.map(({ day, name }) => ({
 *   session: `2026-10-${10 + day}`,
 *   ticker: `T${name}`,
 *   score: name + (day % 3) / 10,
 *   return_1: name / 100 + 0.001,
 * })));
 * const [row] = permutationTest(data, { minNames: 4 }).toRecords();
 * // Every session ranks all four stocks right: 1 over the root of 1 / 3 / 20.
 * console.assert(Math.abs(Number(row?.z) - Math.sqrt(60)) < 1e-9 && Number(row?.p) < 1e-9);
 * ```
 */
export function permutationTest(
  data: HasDense | DataFrame,
  options: PermutationTestOptions = {},
): TableOf<typeof PERMUTATION_COLUMNS> {
  checkOptions("call permutationTest()", options, RULES);
  const { minNames = DEFAULT_MIN_NAMES } = options;
  const dense = toDense(ACTION, data);
  const { within = dense.groups === null ? "session" : "group" } = options;
  const { steps, table } = permutationSteps(dense, { within, minNames });
  for (const step of steps) step();
  return table();
}

/** Prepares the test in steps, between which it can be stopped. */
export function permutationSteps(
  dense: DenseScores,
  { within, minNames }: Required<PermutationTestOptions>,
) {
  const { from, to, tickers, groups } = dense;
  if (within === "group" && groups === null) {
    throw new TypeError(
      `Cannot ${ACTION} within groups: expected scores with groups, got none; give groups to align(), or ` +
        'leave out within: "group"',
    );
  }
  const width = tickers.length;
  const codes = within === "group" ? groups!.codes : null;
  const sums = new SessionSums();
  const size = Math.max(1, Math.floor(CELLS_OF_STEP / Math.max(1, width)));
  const measure = sessionMeasure(dense, codes);
  const step = (start: number) => {
    for (let session = start; session < Math.min(to, start + size); session++) {
      const found = measure(session);
      if (found !== null && found.n >= minNames) sums.add(found);
      else if (found !== null) sums.few++;
    }
  };
  return {
    steps: Array.from(
      { length: Math.ceil((to - from) / size) },
      (_, i) => () => step(from + i * size),
    ),
    table: () => toTable(sums, within),
  };
}

function sessionMeasure(dense: DenseScores, codes: Int32Array | null) {
  const { tickers, groups } = dense;
  const width = tickers.length;
  const write = residualReturns(dense, {
    returns: returnsOf(ACTION, dense, 1),
    market: universeReturns(dense, 1),
    isByGroup: codes !== null,
  });
  const scores = sessionsOf(sortedOrders(dense.scores, width, [dense.from, dense.to]));
  const ranks = new PermutedRanks(width, codes === null ? 1 : groups!.names.length);
  const row = new Float64Array(width);
  return (session: number): PermutedRanks | null => {
    write(session, row);
    const start = session * width;
    const groupOf = codes === null ? () => 0 : (name: number) => codes[start + name]!;
    return ranks.measure(scores(session), row, groupOf) ? ranks : null;
  };
}

/** Sums over the sessions of a test. */
class SessionSums {
  sessions = 0;
  /** Number of sessions with too few stocks. */
  few = 0;
  names = 0;
  ic = 0;
  expected = 0;
  variance = 0;
  squares = 0;
  /** The sum of the products of adjacent deviations from the expectation. */
  products = 0;
  #before = 0;

  add({ n, ic, expected, variance }: PermutedRanks): void {
    this.sessions++;
    this.names += n;
    this.ic += ic;
    this.expected += expected;
    this.variance += variance;
    this.squares += (ic - expected) ** 2;
    this.products += (ic - expected) * this.#before;
    this.#before = ic - expected;
  }
}

function toTable(sums: SessionSums, within: string): TableOf<typeof PERMUTATION_COLUMNS> {
  const { sessions: n, few, ic, expected, variance, squares, products } = sums;
  const excess = ic - expected;
  const spread = n < 2 ? 0 : (squares - excess ** 2 / n) * n / (n - 1);
  const without = few > 0 ? "too_few_names" : "no_variance";
  const short = n < LEAST_SESSIONS ? "too_few_windows" : null;
  const reason: Reason | null = variance > 0 && n > 0 ? short : without;
  const dispersion = spread / variance;
  const centre = excess / n;
  const around = squares - n * centre ** 2;
  const rho = around > NOTHING * squares ? (products - (n - 1) * centre ** 2) / around : 0;
  // The long-run variance of values that follow each other by a first-order autoregression.
  const bounded = Math.max(-MOST_RHO, Math.min(MOST_RHO, rho));
  const runs = (1 + bounded) / (1 - bounded);
  const error = Math.sqrt(variance * Math.max(1, dispersion) * runs) / n;
  const z = excess / n / error;
  const means = [sums.names, ic, expected].map((sum) => n === 0 ? null : sum / n);
  const tested = [error, z, normalTwoSided(z), dispersion, rho]
    .map((value) => reason === null ? value : null);
  return tableOfRows([[n, ...means, ...tested, within, reason]], PERMUTATION_COLUMNS);
}

/** Inputs of residual returns. */
interface Residuals {
  /** The returns of one session. */
  readonly returns: Float64Array;
  /** Market return in each session of the scores; NaN for none. */
  readonly market: Float64Array;
  /** True if the mean return of each group is subtracted as well. */
  readonly isByGroup: boolean;
}

/**
 * Prepares returns net of the market and, within groups, of the group: the return minus beta times that of the
 * market, minus the mean over the scored stocks of the group. Beta is the slope of the stock's returns over all sessions of
 * the scores, and 1 with fewer than 20 of them. The intercept stays in, because a score may forecast the trend of a stock.
 *
 * @returns A function that writes the residuals of a session by stock; NaN without a return, a score or, within groups, a group
 */
function residualReturns(
  dense: DenseScores,
  of: Residuals,
): (session: number, row: Float64Array) => void {
  const width = dense.tickers.length;
  const betas = betasOf(dense, of);
  const groups = of.isByGroup ? dense.groups : null;
  const sums = new Float64Array(groups?.names.length ?? 0);
  const counts = new Int32Array(groups?.names.length ?? 0);
  return (session, row) => {
    const start = session * width;
    const market = of.market[session - dense.from]!;
    for (let name = 0; name < width; name++) {
      const isScored = dense.scores[start + name] === dense.scores[start + name];
      row[name] = isScored ? of.returns[start + name]! - betas[name]! * market : NaN;
    }
    if (groups === null) return;
    sums.fill(0);
    counts.fill(0);
    for (let name = 0; name < width; name++) {
      const group = groups.codes[start + name]!;
      if (group === -1 || row[name] !== row[name]) continue;
      sums[group]! += row[name]!;
      counts[group]!++;
    }
    for (let name = 0; name < width; name++) {
      const group = groups.codes[start + name]!;
      row[name]! -= group === -1 ? NaN : sums[group]! / counts[group]!;
    }
  };
}

function betasOf({ tickers, from, to }: DenseScores, { returns, market }: Residuals): Float64Array {
  const width = tickers.length;
  const [n, x, y, xx, xy] = Array.from({ length: 5 }, () => new Float64Array(width));
  const known = market.filter((value) => value === value);
  const centre = known.reduce((sum, value) => sum + value, 0) / known.length;
  for (let session = from; session < to; session++) {
    const moved = market[session - from]! - centre;
    if (moved !== moved) continue;
    for (let name = 0; name < width; name++) {
      const value = returns[session * width + name]!;
      if (value !== value) continue;
      n![name]!++;
      x![name]! += moved;
      y![name]! += value;
      xx![name]! += moved * moved;
      xy![name]! += moved * value;
    }
  }
  return Float64Array.from({ length: width }, (_, name) => {
    const count = n![name]!;
    const spread = xx![name]! - x![name]! ** 2 / count;
    if (count < LEAST_OF_BETA || !(spread > 0)) return 1;
    return (xy![name]! - x![name]! * y![name]! / count) / spread;
  });
}
