import type { Reason } from "../reason.ts";
import { fTail } from "./distribution/distributions.ts";
import { isTooShort, type TestedMean } from "./tested_mean.ts";
import { Matrix, solve } from "ml-matrix";
import { cosineSums } from "./method/cosine_sums.ts";
import { ewcDegrees } from "./method/ewc_degrees.ts";
import { demean, meanOf } from "../../base/statistics/moments.ts";

/** A test of several restrictions at once. */
export interface JointResult {
  /** The F statistic; `null` if there is none. */
  readonly f: number | null;
  /** Number of restrictions. */
  readonly df1: number;
  /** Degrees of freedom of the variance. */
  readonly df2: number | null;
  /** P value of the restrictions. */
  readonly p: number | null;
  /** Reason why there is no test. */
  readonly reason: Reason | null;
}

/** The result of restrictions that cannot be tested. */
export function withoutJointTest(df1: number, reason: Reason): JointResult {
  return { f: null, df1, df2: null, p: null, reason };
}

/**
 * Tests that the means of disjoint periods are equal: Welch's test (1951) on their means, standard errors and degrees of
 * freedom.
 */
export function equalMeansOfPeriods(tests: readonly TestedMean[]): JointResult {
  const k = tests.length;
  if (k < 2) throw new RangeError("Cannot compare means: expected at least two periods, got fewer");
  const parts = tests.flatMap(({ mean, standardError, df }) =>
    mean === null || standardError === null || df === null
      ? []
      : [{ mean, weight: 1 / standardError ** 2, df }]
  );
  if (parts.length < k) return withoutJointTest(k - 1, "too_few_windows");
  const total = parts.reduce((sum, { weight }) => sum + weight, 0);
  const centre = parts.reduce((sum, { mean, weight }) => sum + weight * mean, 0) / total;
  const between = parts.reduce((sum, { mean, weight }) => sum + weight * (mean - centre) ** 2, 0);
  const loss = parts.reduce((sum, { weight, df }) => sum + (1 - weight / total) ** 2 / df, 0);
  const f = between / (k - 1) / (1 + 2 * (k - 2) / (k ** 2 - 1) * loss);
  const df2 = (k ** 2 - 1) / (3 * loss);
  return { f, df1: k - 1, df2, p: fTail(f, k - 1, df2), reason: null };
}

/**
 * Tests that several series over the same sessions have equal means, such as the coefficients of universes or groups: a
 * Wald statistic of their differences with the equal-weighted cosine covariance, scaled to an exact F
 * (Lazarus, Lewis, Stock and Watson, 2018).
 *
 * @param series The values of each series; all equally long, without NaN
 * @param overlap Maximum number of windows that cover one session
 */
export function equalMeansOfSeries(series: readonly Float64Array[], overlap: number): JointResult {
  const last = series.at(-1);
  const m = series.length - 1;
  if (last === undefined || m < 1) {
    throw new RangeError("Cannot compare means: expected at least two series, got fewer");
  }
  const n = last.length;
  const degrees = ewcDegrees(n, overlap);
  const df2 = degrees - m + 1;
  if (isTooShort({ values: last, overlap }) || df2 < 1) {
    return withoutJointTest(m, "too_few_windows");
  }
  const differences = series.slice(0, m).map((values) =>
    values.map((value, t) => value - last[t]!)
  );
  const means = Matrix.columnVector(differences.map(meanOf));
  const sums = new Matrix(differences.map((values) => [...cosineSums(demean(values), degrees)]));
  const covariance = sums.mmul(sums.transpose()).div(degrees * n);
  const wald = quadraticForm(covariance, means);
  if (wald === null) return withoutJointTest(m, "rank_deficient");
  const f = wald * df2 / (degrees * m);
  return { f, df1: m, df2, p: fTail(f, m, df2), reason: null };
}

function quadraticForm(covariance: Matrix, vector: Matrix): number | null {
  try {
    const value = vector.transpose().mmul(solve(covariance, vector)).get(0, 0);
    return Number.isFinite(value) && value >= 0 ? value : null;
  } catch {
    return null;
  }
}
