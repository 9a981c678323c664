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
import { demean, isConstant, meanOf, sumOfSquares } from "../../../base/statistics/moments.ts";
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

/** Options of {@link alphaBeta}. */
export interface AlphaBetaOptions extends SeriesOptions, AnnualOptions {
  /**
   * Errors that papers print, for comparison with them: Newey and West's (1987) with a lag, against the normal distribution; with
   * `correction` times n / (n − 2). They reject more often than stated.
   *
   * @default equal-weighted cosines
   */
  readonly inference?: {
    readonly method: "newey-west";
    readonly lag: number;
    readonly correction?: boolean;
  };
}

const HAC: rules.Rule<NonNullable<AlphaBetaOptions["inference"]>> = rules.ruleBy(
  'errors such as { method: "newey-west", lag: 6 }',
  (action, given: NonNullable<AlphaBetaOptions["inference"]>) =>
    rules.checkOptions(action, given, {
      method: rules.needed(rules.oneOf("newey-west")),
      lag: rules.needed(rules.whole(0)),
      correction: rules.FLAG,
    }),
);

/** Columns of the table, in order. */
const ANNUAL_COLUMNS = "horizon annual_alpha beta n";

/**
 * Regresses the returns of a portfolio on those of a market: one row for alpha, one for beta.
 *
 * Columns: `term` (Utf8), `value` (alpha by session, or beta), `standard_error`, `t`, `df` (Int32), `p`, `low`, `high`
 * (95%), `annual_arithmetic` (252 alpha, or `periodsPerYear` times) and `annual_compounded` ((1 + alpha)^252 − 1; both null for beta), `r_squared`,
 * `n` (Int32, sessions with both returns), `reason`. The coefficients are least squares; the errors are those of the
 * equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018), or with `inference` those of Newey and West, whose `df` is
 * null. With fewer than 20 sessions the test is null.
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
  options?: AlphaBetaOptions,
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
  options: AlphaBetaOptions & { readonly compat?: "alphalens" } = {},
): DataFrame {
  const action = "explain returns by the market";
  rules.checkOptions(action, options, {
    ...SERIES_RULES,
    ...ANNUAL_RULES,
    inference: HAC,
    compat: COMPAT,
  });
  const { compat, ...columns } = options;
  if (presetOf("alphaBeta", compat).regression === "annual") {
    const { periodsPerYear } = columns;
    return annualAlphaBeta(
      returns as DataFrame,
      market as HasDense | DataFrame,
      periodsPerYear === undefined ? {} : { periodsPerYear },
    );
  }
  return measure(action, [returns, market as SeriesInput], columns);
}

function measure(
  action: string,
  [returns, market]: readonly [SeriesInput, SeriesInput],
  { periodsPerYear, inference, ...options }: AlphaBetaOptions,
): TableOf<typeof ALPHA_BETA_COLUMNS> {
  const explained = readOneSessionReturns(action, returns, options);
  const explaining = readOneSessionReturns(action, market, options);
  const names = ["returns", "market"] as const;
  assertDated(action, [explained, explaining], names);
  assertSameSpacing(action, [explained, explaining], names);
  assertSameDates(action, [explained, explaining], "market");
  const year = periodsOfYear(action, explained, periodsPerYear);
  const [y, x] = onCommonSessions([explained, explaining]).map(({ values }) => values);
  const { lag, correction } = inference ?? {};
  const { coefficients, ...regression } = ewcRegression(y!, [x!], { lag, correction });
  const rows = (["alpha", "beta"] as const).map((term, k) => {
    const coefficient = coefficients[k] ?? NO_COEFFICIENT;
    const value = term === "beta" ? null : coefficient.value;
    return [
      ...[term, coefficient.value, ...testCells({ ...coefficient, df: regression.df })],
      value === null ? null : year * value,
      value === null || value <= -1 ? null : (1 + value) ** year - 1,
      ...[regression.rSquared, regression.n, regression.reason],
    ];
  });
  return tableOfRows(rows, ALPHA_BETA_COLUMNS);
}

const NO_COEFFICIENT = {
  value: null,
  standardError: null,
  t: null,
  p: null,
  low: null,
  high: null,
};

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
  options: AnnualOptions = {},
): TableOf<typeof ANNUAL_COLUMNS> {
  const action = "compute alpha and beta";
  rules.checkOptions(action, options, ANNUAL_RULES);
  const dense = toDense(action, data);
  const year = periodsOfYear(
    action,
    { days: dense.days, places: Int32Array.from(dense.days.keys()) },
    options.periodsPerYear,
  );
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
    const { alpha, beta } = fit(pairs);
    const shown = [(1 + alpha) ** (year / horizon) - 1, beta];
    return [horizon, ...shown.map((value) => Number.isFinite(value) ? value : null), pairs.length];
  });
  return tableOfRows(rows, ANNUAL_COLUMNS);
}

function fit(pairs: readonly (readonly [number, number])[]): { alpha: number; beta: number } {
  if (pairs.length === 0) return { alpha: NaN, beta: NaN };
  const [meanX, meanY] = [meanOf(pairs.map(([x]) => x)), meanOf(pairs.map(([, y]) => y))];
  let [xx, xy] = [0, 0];
  for (const [x, y] of pairs) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  const beta = xy / xx;
  return { alpha: meanY - beta * meanX, beta };
}

/** Standard errors of a regression: equal-weighted cosines, or those of Newey and West if there is a lag. */
interface RegressionErrors {
  /** Maximum number of windows that cover one session. @default 1 */
  readonly overlap?: number;
  /** Maximum lag, with weight 1 − lag / (lag + 1); the t ratios are then compared with the normal distribution. @default none */
  readonly lag?: number | undefined;
  /** Multiplies the variances of Newey and West by n / (n − number of coefficients). @default false */
  readonly correction?: boolean | undefined;
}

/** A regression of one series on others. */
export type Regression = ReturnType<typeof ewcRegression>;

/**
 * Ordinary least squares with an intercept and equal-weighted cosine standard errors: V = Q⁻¹ Ω Q⁻¹ / n with
 * Ω = (1/ν) Σ Λ Λ' over the cosine sums of the rows times their residuals; or with the Ω of Newey and West (1987).
 *
 * @param y Explained variable; no NaN
 * @param regressors Explanatory variables, each as long as `y`
 */
export function ewcRegression(
  y: Float64Array,
  regressors: readonly Float64Array[],
  { overlap = 1, lag, correction = false }: RegressionErrors = {},
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
  const reference = lag === undefined ? studentReference(degrees) : NORMAL;
  const scale = correction ? n / (n - columns.length) : 1;
  const omegaOf = (rows: Matrix) =>
    lag === undefined ? cosineOmega(rows, degrees) : bartlettOmega(rows, lag).mul(scale);
  // The residuals of a perfect fit are rounding errors and give no standard error.
  const isPerfect = sumOfSquares(residuals) <= ROUNDING ** 2 * sumOfSquares(y);
  const variances = isPerfect
    ? columns.map(() => 0)
    : coefficientVariances(columns, residuals, omegaOf);
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
  omegaOf: (rows: Matrix) => Matrix,
): readonly number[] {
  const n = residuals.length;
  const omega = omegaOf(
    new Matrix(columns.map((column) => Array.from(column, (value, t) => value * residuals[t]!))),
  );
  const design = new Matrix(columns.map((column) => [...column]));
  const bread = inverse(design.mmul(design.transpose()).div(n));
  return bread.mmul(omega).mmul(bread).div(n).diagonal();
}

function cosineOmega(rows: Matrix, df: number): Matrix {
  const sums = new Matrix(
    rows.to2DArray().map((row) => [...cosineSums(Float64Array.from(row), df)]),
  );
  return sums.mmul(sums.transpose()).div(df);
}

/** Autocovariances of the rows, weighted by 1 − lag / (largest lag + 1). */
function bartlettOmega(rows: Matrix, largest: number): Matrix {
  const n = rows.columns;
  const omega = Matrix.zeros(rows.rows, rows.rows);
  for (let lag = 0; lag <= Math.min(largest, n - 1); lag++) {
    const weight = 1 - lag / (largest + 1);
    for (let t = lag; t < n; t++) {
      for (let i = 0; i < rows.rows; i++) {
        for (let j = 0; j < rows.rows; j++) {
          const product = rows.get(i, t) * rows.get(j, t - lag) +
            (lag === 0 ? 0 : rows.get(j, t) * rows.get(i, t - lag));
          omega.set(i, j, omega.get(i, j) + weight * product / n);
        }
      }
    }
  }
  return omega;
}

/** One coefficient of a regression. */
export type Coefficient = ReturnType<typeof toCoefficient>;

function toCoefficient(value: number, variance: number, reference: Reference) {
  if (!(variance > 0)) {
    return { value, standardError: null, t: null, p: null, low: null, high: null };
  }
  const standardError = Math.sqrt(variance);
  const { critical } = reference;
  const t = value / standardError;
  return {
    value,
    standardError,
    t,
    p: reference.pOf(t),
    low: value - critical * standardError,
    high: value + critical * standardError,
  };
}
