import { cosineSums } from "./cosine_sums.ts";
import { ewcDegrees } from "./ewc_degrees.ts";
import { isTooShort, type TestedMean, toTestedMean, withoutTest } from "../tested_mean.ts";
import { demean, isConstant, sumOfSquares } from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { studentReference } from "../distribution/reference.ts";

/**
 * Equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018) with 0.2 n^(2/3) cosines, at most the number of
 * windows divided by 2.5; the default test of every mean of a series by session.
 *
 * It requires four cosines: with fewer than 20 values or 10 non-overlapping windows there is no test.
 */
export function testByEwc(observations: Observations, against = 0): TestedMean {
  const { values, overlap } = observations;
  if (isTooShort(observations)) return withoutTest(observations, "ewc", "too_few_windows");
  const df = ewcDegrees(values.length, overlap);
  // The cosines are orthogonal to the mean; without it the sums are exact.
  const variance = isConstant(values) ? 0 : sumOfSquares(cosineSums(demean(values), df)) / df;
  const reference = studentReference(df);
  return toTestedMean(observations, { method: "ewc", variance, reference, against, note: null });
}
