import { autocovariances } from "./autocovariances.ts";
import { isTooShort, type TestedMean, toTestedMean, withoutTest } from "../tested_mean.ts";
import { isConstant } from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { NORMAL } from "../distribution/reference.ts";

/**
 * Hansen and Hodrick's test (1980): equal weights on all autocovariances that the overlap can cause, and normal critical values.
 * If the estimated variance is negative, there is no test.
 */
export function testByHansenHodrick(observations: Observations, against = 0): TestedMean {
  const { values, overlap } = observations;
  if (isTooShort(observations)) {
    return withoutTest(observations, "hansen-hodrick", "too_few_windows");
  }
  const variance = isConstant(values) ? 0 : autocovariances(values, overlap - 1).reduce(
    (sum, covariance, lag) => sum + (lag === 0 ? 1 : 2) * covariance,
    0,
  );
  return toTestedMean(observations, {
    method: "hansen-hodrick",
    variance,
    reference: NORMAL,
    against,
    note: "Hansen-Hodrick rejects more often than stated where windows are few",
  });
}
