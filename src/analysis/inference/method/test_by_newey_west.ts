import { autocovariances } from "./autocovariances.ts";
import { fixedB } from "../distribution/fixed_b.ts";
import { isTooShort, type TestedMean, toTestedMean, withoutTest } from "../tested_mean.ts";
import { isConstant } from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { NORMAL } from "../distribution/reference.ts";

/** Options of {@link testByNeweyWest}. */
export interface NeweyWestOptions {
  /**
   * Maximum lag, with weight 1 − lag / (lag + 1).
   *
   * @default overlap − 1
   */
  readonly lag?: number;
  /**
   * Reference distribution of the t ratio: Kiefer and Vogelsang's for the share of the sample that the lags span, or the
   * normal distribution, as in most papers.
   *
   * @default "fixed-b"
   */
  readonly criticalValues?: "fixed-b" | "normal";
  /**
   * Multiplies the variance by n / (n − 1).
   *
   * @default false
   */
  readonly correction?: boolean;
  /**
   * Null hypothesis about the mean.
   *
   * @default 0
   */
  readonly against?: number;
}

/**
 * Newey and West's test (1987), for comparison with papers. With overlapping windows it rejects more often than its nominal
 * level, because its weights shrink the autocovariances that the overlap causes.
 */
export function testByNeweyWest(
  observations: Observations,
  options: NeweyWestOptions = {},
): TestedMean {
  const { values, overlap } = observations;
  const { lag = overlap - 1, criticalValues = "fixed-b", correction = false, against = 0 } =
    options;
  if (isTooShort(observations)) return withoutTest(observations, "newey-west", "too_few_windows");
  const n = values.length;
  const reference = criticalValues === "normal" ? NORMAL : fixedB(Math.min(1, (lag + 1) / n));
  const scale = correction ? n / (n - 1) : 1;
  return toTestedMean(observations, {
    method: "newey-west",
    variance: isConstant(values) ? 0 : scale * bartlettVariance(values, Math.min(lag, n - 1), lag),
    reference,
    against,
    note: `Newey-West with lag ${lag} rejects more often than stated`,
  });
}

function bartlettVariance(values: Float64Array, lags: number, bandwidth: number): number {
  return autocovariances(values, lags).reduce(
    (sum, covariance, lag) => sum + (lag === 0 ? 1 : 2 * (1 - lag / (bandwidth + 1))) * covariance,
    0,
  );
}
