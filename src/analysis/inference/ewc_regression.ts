import { UPPER_END } from "../../base/statistics/level.ts";
import { inverse, Matrix, SingularValueDecomposition, solve } from "ml-matrix";
import type { Reason } from "../reason.ts";
import { cosineSums } from "./method/cosine_sums.ts";
import { studentQuantile, studentTwoSided } from "./distribution/distributions.ts";
import { ewcDegrees } from "./method/ewc_degrees.ts";
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

/**
 * Ordinary least squares with an intercept and equal-weighted cosine standard errors: V = Q⁻¹ Ω Q⁻¹ / n with
 * Ω = (1/ν) Σ Λ Λ' over the cosine sums of the rows times their residuals.
 *
 * @param y Explained variable; no NaN
 * @param regressors Explanatory variables, each as long as `y`
 * @param overlap Maximum number of windows that cover one session
 */
export function ewcRegression(
  y: Float64Array,
  regressors: readonly Float64Array[],
  overlap = 1,
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
    const coefficients = values.map((value) => toCoefficient(value, 0, 1));
    return { n, coefficients, df: null, rSquared, reason: "too_few_windows" };
  }
  const df = ewcDegrees(n, overlap);
  // The residuals of a perfect fit are rounding errors and give no standard error.
  const isPerfect = sumOfSquares(residuals) <= ROUNDING ** 2 * sumOfSquares(y);
  const variances = isPerfect ? columns.map(() => 0) : coefficientVariances(columns, residuals, df);
  const coefficients = values.map((value, k) => toCoefficient(value, variances[k]!, df));
  const reason = coefficients.some(({ t }) => t === null) ? "no_variance" : null;
  return { n, coefficients, df, rSquared, reason };
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
  df: number,
): readonly number[] {
  const n = residuals.length;
  const sums = new Matrix(
    columns.map((column) => [...cosineSums(column.map((value, t) => value * residuals[t]!), df)]),
  );
  const omega = sums.mmul(sums.transpose()).div(df);
  const design = new Matrix(columns.map((column) => [...column]));
  const bread = inverse(design.mmul(design.transpose()).div(n));
  return bread.mmul(omega).mmul(bread).div(n).diagonal();
}

function toCoefficient(value: number, variance: number, df: number): Coefficient {
  if (!(variance > 0)) {
    return { value, standardError: null, t: null, p: null, low: null, high: null };
  }
  const standardError = Math.sqrt(variance);
  const critical = studentQuantile(UPPER_END, df);
  const t = value / standardError;
  return {
    value,
    standardError,
    t,
    p: studentTwoSided(t, df),
    low: value - critical * standardError,
    high: value + critical * standardError,
  };
}
