import { inverse, Matrix, SingularValueDecomposition, solve } from "ml-matrix";
import type { Reason } from "../reason.ts";
import { NORMAL, type Reference, studentReference } from "./distribution/reference.ts";
import { cosineSums, ewcDegrees } from "./method/test_by_ewc.ts";
import { isTooShort } from "./tested_mean.ts";
import { demean, isConstant, sumOfSquares } from "../../base/statistics/moments.ts";

const ROUNDING = 1e-10;

/** One coefficient of a regression. */
export interface Coefficient {
  readonly value: number;
  readonly standardError: number | null;
  readonly t: number | null;
  readonly p: number | null;
  /** Lower end of the 95% interval. */
  readonly low: number | null;
  /** Upper end of the 95% interval. */
  readonly high: number | null;
}

/** A regression of one series on others. */
export interface Regression {
  /** Number of rows. */
  readonly n: number;
  /** The intercept, then one coefficient per regressor; empty if the regressors are collinear. */
  readonly coefficients: readonly Coefficient[];
  /** Degrees of freedom of the tests. */
  readonly df: number | null;
  /** R²: share of explained variance. */
  readonly rSquared: number | null;
  /** Reason why there is no test, or no coefficient. */
  readonly reason: Reason | null;
}

/** Standard errors of a regression: equal-weighted cosines, or those of Newey and West if there is a lag. */
export interface RegressionErrors {
  /** Maximum number of windows that cover one session. @default 1 */
  readonly overlap?: number;
  /** Maximum lag, with weight 1 − lag / (lag + 1); the t ratios are then compared with the normal distribution. @default none */
  readonly lag?: number | undefined;
  /** Multiplies the variances of Newey and West by n / (n − number of coefficients). @default false */
  readonly correction?: boolean | undefined;
}

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
): Regression {
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

function toCoefficient(value: number, variance: number, reference: Reference): Coefficient {
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
