import { Matrix, solve } from "ml-matrix";
import { fTail } from "./distribution/distributions.ts";
import { type JointResult, withoutJointTest } from "./joint_result.ts";
import { cosineSums } from "./method/cosine_sums.ts";
import { ewcDegrees } from "./method/ewc_degrees.ts";
import { demean, meanOf } from "./moments.ts";

/**
 * Tests that several series over the same sessions have one mean, such as the coefficients of universes or groups: the
 * Wald statistic of their differences with the covariance by equal-weighted cosines, scaled to an exact F
 * (Lazarus, Lewis, Stock and Watson, 2018).
 *
 * @param series The values of each series; all equally long, without NaN
 * @param overlap How many windows cover the same session at most
 */
export function equalMeansOfSeries(series: readonly Float64Array[], overlap: number): JointResult {
  const last = series.at(-1);
  const m = series.length - 1;
  if (last === undefined || m < 1) {
    throw new RangeError("Cannot compare means: two series or more are required");
  }
  const n = last.length;
  const degrees = ewcDegrees(n, overlap);
  const df2 = degrees - m + 1;
  if (n < 20 || n < 10 * overlap || df2 < 1) return withoutJointTest(m, "too_few_windows");
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
