import { fTail } from "./distribution/distributions.ts";
import { type JointResult, withoutJointTest } from "./joint_result.ts";
import type { TestedMean } from "./tested_mean.ts";

/**
 * Tests that the means of periods which do not share sessions are one: Welch's test (1951) on their means, errors and
 * degrees of freedom.
 */
export function equalMeansOfPeriods(tests: readonly TestedMean[]): JointResult {
  const k = tests.length;
  if (k < 2) throw new RangeError("Cannot compare means: two periods or more are required");
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
