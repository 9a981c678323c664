import type { DataFrame } from "nodejs-polars";
import { type SessionOrder, sessionsOf, sortedOrders } from "../dense/rank/orders.ts";
import { groupNeutralReturns } from "../dense/rank/rank_correlation.ts";
import { dot, sumOfSquares } from "../../base/statistics/moments.ts";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import { LEAST_SESSIONS } from "../inference/tested_mean.ts";
import { checkOptions, oneOf, type OptionRules } from "../../base/arguments/check_options.ts";
import { type DenseScores, type HasDense, returnsOf, toDense } from "../dense/dense_frames.ts";
import { normalTwoSided } from "../inference/distributions.ts";
import { universeReturns } from "../portfolio/portfolio_returns.ts";
import type { Reason } from "../reason.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableOf } from "../table/columns.ts";

/** The rank correlation of one session. */
interface PermutedIc {
  /** Number of stocks with a score and a return. */
  readonly n: number;
  readonly ic: number;
  /** Its mean over all permutations of the returns. */
  readonly expected: number;
  /** Its variance over them. */
  readonly variance: number;
}

/**
 * The rank correlation of one session, with its exact mean and variance over all permutations of the
 * returns among stocks, within each group (Strasser and Weber, 1999); `null` unless both sides vary.
 */
function permutedIc(
  { order, starts, count }: SessionOrder,
  others: SessionOrder["ranks"],
  [groups, codes]: readonly [number, Int32Array | null],
): PermutedIc | null {
  const [names, ranks] = [new Int32Array(count), new Float64Array(count)];
  let [n, first, isNew] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    isNew |= starts[i]!;
    if (others[order[i]!] === 0) continue;
    if (isNew === 1) {
      ranks.fill((first + n - 1) / 2, first, n);
      first = n;
      isNew = 0;
    }
    names[n++] = order[i]!;
  }
  ranks.fill((first + n - 1) / 2, first, n);
  const middle = (n - 1) / 2;
  const sums = Array.from({ length: 5 }, () => new Float64Array(groups));
  const [counts, a, aa, b, bb] = sums as [Float64Array, ...Float64Array[]];
  let products = 0;
  for (let i = 0; i < n; i++) {
    const group = codes === null ? 0 : codes[names[i]!]!;
    // Doubled ranks begin at 2.
    const x = ranks[i]! - middle;
    const y = others[names[i]!]! / 2 - 1 - middle;
    products += x * y;
    counts[group]!++;
    a![group]! += x;
    aa![group]! += x * x;
    b![group]! += y;
    bb![group]! += y * y;
  }
  return permutedSums(n, products, sums);
}

function permutedSums(
  n: number,
  products: number,
  [counts, a, aa, b, bb]: readonly Float64Array[],
): PermutedIc | null {
  let [expected, variance, scores, returns] = [0, 0, 0, 0];
  for (const [group, m] of counts!.entries()) {
    if (m === 0) continue;
    scores += aa![group]!;
    returns += bb![group]!;
    expected += a![group]! * b![group]! / m;
    if (m === 1) continue;
    const within = [aa![group]! - a![group]! ** 2 / m, bb![group]! - b![group]! ** 2 / m];
    variance += Math.max(0, within[0]!) * Math.max(0, within[1]!) / (m - 1);
  }
  const size = Math.sqrt(scores * returns);
  if (!(size > 0)) return null;
  return { n, ic: products / size, expected: expected / size, variance: variance / (size * size) };
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
  const isByGroup = within === "group";
  const residuals = residualReturns(dense, isByGroup);
  const ordersOf = sessionsOf(sortedOrders(dense.scores, width, [from, to]));
  const size = Math.max(1, Math.floor(CELLS_OF_STEP / Math.max(1, width)));
  const found: PermutedIc[] = [];
  let few = 0;
  const step = (start: number) => {
    const end = Math.min(to, start + size);
    const othersOf = sessionsOf(sortedOrders(residuals, width, [start, end]));
    for (let session = start; session < end; session++) {
      const codes = isByGroup ? groups!.codes.subarray(session * width) : null;
      const parts = [isByGroup ? groups!.names.length : 1, codes] as const;
      const one = permutedIc(ordersOf(session), othersOf(session).ranks, parts);
      if (one !== null && one.n >= minNames) found.push(one);
      else if (one !== null) few++;
    }
  };
  const starts = Array.from({ length: Math.ceil((to - from) / size) }, (_, i) => from + i * size);
  return {
    steps: starts.map((start) => () => step(start)),
    table: () => toTable(found, few, within),
  };
}

function toTable(
  found: readonly PermutedIc[],
  few: number,
  within: string,
): TableOf<typeof PERMUTATION_COLUMNS> {
  const n = found.length;
  const sumOf = (read: (one: PermutedIc) => number) =>
    found.reduce((sum, one) => sum + read(one), 0);
  const [ic, expected, variance] = (["ic", "expected", "variance"] as const)
    .map((name) => sumOf((one) => one[name])) as [number, number, number];
  const deviations = found.map((one) => one.ic - one.expected);
  const squares = sumOfSquares(deviations);
  const products = dot(deviations.slice(1), deviations);
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
  const means = [sumOf((one) => one.n), ic, expected].map((sum) => n === 0 ? null : sum / n);
  const tested = [error, z, normalTwoSided(z), dispersion, rho]
    .map((value) => reason === null ? value : null);
  return tableOfRows([[n, ...means, ...tested, within, reason]], PERMUTATION_COLUMNS);
}

/**
 * Returns net of the market and, within groups, of the group: the return minus beta times that of the
 * market, minus the mean over the scored stocks of the group. Beta is the slope of the stock's returns over all sessions of
 * the scores, and 1 with fewer than 20 of them. The intercept stays in, because a score may forecast the trend of a stock.
 * NaN without a return, a score or, within groups, a group.
 */
function residualReturns(dense: DenseScores, isByGroup: boolean): Float64Array {
  const { scores, tickers: { length: width }, from, to } = dense;
  const returns = returnsOf(ACTION, dense, 1);
  const market = universeReturns(dense, 1);
  const betas = betasOf(dense, returns, market);
  const residuals = new Float64Array(scores.length).fill(NaN);
  for (let d = from; d < to; d++) {
    for (let name = 0, cell = d * width; name < width; name++, cell++) {
      const explained = betas[name]! * market[d - from]!;
      if (scores[cell] === scores[cell]) residuals[cell] = returns[cell]! - explained;
    }
  }
  return isByGroup ? groupNeutralReturns(dense, residuals) : residuals;
}

function betasOf(
  { tickers, from, to }: DenseScores,
  returns: Float64Array,
  market: Float64Array,
): Float64Array {
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
