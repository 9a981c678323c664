import type { DataFrame } from "nodejs-polars";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import { isTooShort, testCells } from "../../inference/tested_mean.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { type HasDense, toDense } from "../../dense/dense_frames.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readOneSessionReturns } from "../wealth/cumulative_returns.ts";
import {
  ANNUAL_RULES,
  type AnnualOptions,
  assertSameSpacing,
  periodsOfYear,
} from "../periods_of_year.ts";
import {
  assertDated,
  assertSameDates,
  onCommonSessions,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "../read_series.ts";
import { demean, dot, isConstant, meanOf, sumOfSquares } from "../../../base/statistics/moments.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { universeReturns } from "../../portfolio/portfolio_returns.ts";
import { inverse, Matrix, SingularValueDecomposition, solve } from "ml-matrix";
import { NORMAL, type Reference, studentReference } from "../../inference/distributions.ts";
import { cosineSums, ewcDegrees } from "../../inference/test_mean.ts";
import type { TableOf } from "../../table/columns.ts";

const ROUNDING = 1e-10;

/** Columns of the table, in order. */
export const ALPHA_BETA_COLUMNS =
  "term value ...test annual_arithmetic annual_compounded r_squared n reason";

/** Columns of the table, in order. */
const ANNUAL_COLUMNS = "horizon annual_alpha beta n";

/**
 * Regresses the returns of a portfolio on those of a market: one row for alpha, one for beta.
 *
 * Columns: `term` (Utf8), `value` (alpha by session, or beta), `standard_error`, `t`, `df` (Int32), `p`, `low`, `high`
 * (95%), `annual_arithmetic` (252 alpha, or `periodsPerYear` times) and `annual_compounded` ((1 + alpha)^252 − 1; both null for beta), `r_squared`,
 * `n` (Int32, sessions with both returns), `reason`. The coefficients are least squares; the errors are those of the
 * equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018). With fewer than 20 sessions the test is null.
 *
 * @param returns Returns of one session each, by the `date` at whose close they are earned, as {@link portfolioReturns} gives them
 * @param market Those of the market, by `date`: of an index close / previous close − 1
 * @param options Column of the returns of both
 * @returns A frame of two rows, alpha and beta, each with its standard error and test
 * @throws {TypeError} If a column is missing, or days are in a column `session`
 * @throws {RangeError} If there are several series, a window spans several sessions, or the market moves with the returns a session
 *   earlier or later rather than on the same dates
 * @see Jensen (1968), The performance of mutual funds in the period 1945–1964, Journal of Finance 23
 *
 * @example Usage
 * ```ts
 * import { alphaBeta } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const date = ["2026-01-05", "2026-01-06", "2026-01-07"];
 * const market = pl.DataFrame({ date, return: [0.01, -0.02, 0.03] });
 * const returns = pl.DataFrame({ date, return: [0.02, -0.04, 0.06] });
 * const [, beta] = alphaBeta(returns, market).toRecords();
 * console.assert(Math.abs(Number(beta?.value) - 2) < 1e-9 && beta?.reason === "too_few_windows");
 * ```
 */
export function alphaBeta(
  returns: SeriesInput,
  market: SeriesInput,
  options?: SeriesOptions & AnnualOptions,
): TableOf<typeof ALPHA_BETA_COLUMNS>;
/**
 * The numbers of alphalens, annualised from overlapping returns: the result of `factorReturns()`, the data that it was made
 * from, and one row per horizon, without errors.
 *
 * @returns A frame of one row per horizon, without errors
 * @see Jensen (1968), The performance of mutual funds in the period 1945–1964, Journal of Finance 23
 */
export function alphaBeta(
  returns: DataFrame,
  data: HasDense | DataFrame,
  options: { readonly compat: "alphalens" },
): TableOf<typeof ANNUAL_COLUMNS>;
export function alphaBeta(
  returns: SeriesInput,
  market: SeriesInput | HasDense,
  options: SeriesOptions & AnnualOptions & { readonly compat?: "alphalens" } = {},
): DataFrame {
  const action = "explain returns by the market";
  rules.checkOptions(action, options, { ...SERIES_RULES, ...ANNUAL_RULES, compat: COMPAT });
  const { compat, ...columns } = options;
  if (presetOf("alphaBeta", compat).regression === "annual") {
    return annualAlphaBeta(returns as DataFrame, market as HasDense, columns.periodsPerYear);
  }
  return measure(action, [returns, market as SeriesInput], columns);
}

function measure(
  action: string,
  [returns, market]: readonly [SeriesInput, SeriesInput],
  { periodsPerYear, ...options }: SeriesOptions & AnnualOptions,
): TableOf<typeof ALPHA_BETA_COLUMNS> {
  const explained = readOneSessionReturns(action, returns, options);
  const explaining = readOneSessionReturns(action, market, options);
  const names = ["returns", "market"] as const;
  assertDated(action, [explained, explaining], names);
  assertSameSpacing(action, [explained, explaining], names);
  assertSameDates(action, [explained, explaining], "market");
  const year = periodsOfYear(action, explained, periodsPerYear);
  const [y, x] = onCommonSessions([explained, explaining]).map(({ values }) => values);
  const { coefficients, df, rSquared, n, reason } = ewcRegression(y!, [x!]);
  const rows = (["alpha", "beta"] as const).map((term, k) => {
    const coefficient = coefficients[k] ?? { value: null, ...NO_ERRORS };
    const alpha = term === "beta" ? null : coefficient.value;
    const compounded = alpha === null || alpha <= -1 ? null : (1 + alpha) ** year - 1;
    const annual = [alpha === null ? null : year * alpha, compounded];
    const cells = testCells({ ...coefficient, df });
    return [term, coefficient.value, ...cells, ...annual, rSquared, n, reason];
  });
  return tableOfRows(rows, ALPHA_BETA_COLUMNS);
}

const NO_ERRORS = { standardError: null, t: null, p: null, low: null, high: null };

/**
 * Alpha and beta as alphalens computes them, for comparison only: without standard errors, and annualised as if the overlapping
 * returns of a horizon could be compounded. `alphaBeta()` does not have this bias.
 *
 * One row per horizon: `horizon`, `annual_alpha` ((1 + alpha)^(252 / horizon) − 1), `beta`, `n`; least squares of the returns on the
 * equal-weighted mean of all stocks with score and return.
 *
 * @param returns The result of {@link factorReturns}
 * @param data The result of {@link align} that they were made from
 * @param options Periods of a year, where it is not 252
 * @returns A frame of one row per horizon: annual alpha and beta
 * @see alphalens-reloaded 0.5.1, `factor_alpha_beta` (Quantopian, 2016)
 */
function annualAlphaBeta(
  returns: DataFrame,
  data: HasDense | DataFrame,
  periodsPerYear: number | undefined,
): TableOf<typeof ANNUAL_COLUMNS> {
  const action = "compute alpha and beta";
  const dense = toDense(action, data);
  const places = Int32Array.from(dense.days.keys());
  const year = periodsOfYear(action, { days: dense.days, places }, periodsPerYear);
  const days = readDayColumn(action, returns, "session");
  const horizons = readNumbers(action, returns, "horizon");
  const values = readNumbers(action, returns, "return");
  const rows = dense.periods.map((horizon) => {
    const universe = universeReturns(dense, horizon);
    const market = new Map(
      [...universe].map((value, session) => [dense.days[dense.from + session]!, value]),
    );
    const pairs = [...values.keys()].filter((row) => horizons[row] === horizon)
      .map((row) => [market.get(days[row]!) ?? NaN, values[row]!] as const)
      .filter(([x, y]) => !Number.isNaN(x) && !Number.isNaN(y));
    const [x, y] = [0, 1].map((side) => Float64Array.from(pairs, (pair) => pair[side]!));
    const beta = dot(demean(x!), demean(y!)) / sumOfSquares(demean(x!));
    const alpha = meanOf(y!) - beta * meanOf(x!);
    const shown = [(1 + alpha) ** (year / horizon) - 1, beta];
    return [horizon, ...shown.map((value) => Number.isFinite(value) ? value : null), pairs.length];
  });
  return tableOfRows(rows, ANNUAL_COLUMNS);
}

/** A regression of one series on others. */
export type Regression = ReturnType<typeof ewcRegression>;

/**
 * Ordinary least squares with an intercept and equal-weighted cosine standard errors: V = Q⁻¹ Ω Q⁻¹ / n with
 * Ω = (1/ν) Σ Λ Λ' over the cosine sums of the rows times their residuals.
 *
 * @param y Explained variable; no NaN
 * @param regressors Explanatory variables, each as long as `y`
 */
export function ewcRegression(
  y: Float64Array,
  regressors: readonly Float64Array[],
  { overlap = 1 }: { readonly overlap?: number } = {},
) {
  const n = y.length;
  const columns = [new Float64Array(n).fill(1), ...regressors];
  const design = new Matrix(columns.map((column) => [...column])).transpose();
  if (n <= columns.length || isRankDeficient(design)) {
    const reason = n <= columns.length ? "too_few_windows" : "rank_deficient";
    return { n, coefficients: [], df: null, rSquared: null, reason };
  }
  const values = solve(design, Matrix.columnVector([...y])).to1DArray();
  const residuals = Float64Array.from(y, (value, t) => value - fitted(columns, values, t));
  const rSquared = isConstant(y) ? null : 1 - sumOfSquares(residuals) / sumOfSquares(demean(y));
  if (isTooShort({ values: y, overlap })) {
    const coefficients = values.map((value) => toCoefficient(value, 0, NORMAL));
    return { n, coefficients, df: null, rSquared, reason: "too_few_windows" };
  }
  const degrees = ewcDegrees(n, overlap);
  const reference = studentReference(degrees);
  // The residuals of a perfect fit are rounding errors and give no standard error.
  const isPerfect = sumOfSquares(residuals) <= ROUNDING ** 2 * sumOfSquares(y);
  const variances = isPerfect
    ? columns.map(() => 0)
    : coefficientVariances(columns, residuals, degrees);
  const coefficients = values.map((value, k) => toCoefficient(value, variances[k]!, reference));
  const reason = coefficients.some(({ t }) => t === null) ? "no_variance" : null;
  return { n, coefficients, df: reference.df, rSquared, reason };
}

// Scaled, so that columns of very different magnitude do not appear collinear.
function isRankDeficient(design: Matrix): boolean {
  const scaled = design.clone();
  for (let k = 0; k < scaled.columns; k++) {
    const norm = Math.sqrt(sumOfSquares(scaled.getColumn(k)));
    if (norm === 0) return true;
    scaled.mulColumn(k, 1 / norm);
  }
  return new SingularValueDecomposition(scaled).condition > 1e12;
}

function fitted(columns: readonly Float64Array[], values: readonly number[], t: number): number {
  return columns.reduce((sum, column, k) => sum + values[k]! * column[t]!, 0);
}

function coefficientVariances(
  columns: readonly Float64Array[],
  residuals: Float64Array,
  degrees: number,
): readonly number[] {
  const moved = columns.map((column) => column.map((value, t) => value * residuals[t]!));
  const sums = new Matrix(moved.map((row) => [...cosineSums(row, degrees)]));
  const omega = sums.mmul(sums.transpose()).div(degrees);
  const design = new Matrix(columns.map((column) => [...column]));
  const bread = inverse(design.mmul(design.transpose()).div(residuals.length));
  return bread.mmul(omega).mmul(bread).div(residuals.length).diagonal();
}

function toCoefficient(value: number, variance: number, reference: Reference) {
  if (!(variance > 0)) return { value, ...NO_ERRORS };
  const standardError = Math.sqrt(variance);
  const half = reference.critical * standardError;
  const t = value / standardError;
  return { value, standardError, t, p: reference.pOf(t), low: value - half, high: value + half };
}
