import { isTooShort, type TestedMean, toTestedMean, withoutTest } from "../tested_mean.ts";
import { demean, isConstant } from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { NORMAL, type Reference } from "../distribution/reference.ts";
import { normalQuantile, normalTwoSided } from "../distribution/distributions.ts";

// Probability below the critical value, and a0 … a3 of a0 + a1 b + a2 b² + a3 b³: Bartlett kernel.
const CUBICS = [
  [0.9, 1.2816, 1.304, 0.5135, -0.3386],
  [0.95, 1.6449, 2.1859, 0.3142, -0.3427],
  [0.975, 1.96, 2.9694, 0.416, -0.5324],
  [0.99, 2.3263, 4.1618, 0.5368, -0.906],
] as const;

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

/** Autocovariances of values at lags 0 … lags, each divided by n. */
function autocovariances(values: ArrayLike<number>, lags: number): Float64Array {
  const n = values.length;
  const x = demean(values);
  return Float64Array.from({ length: lags + 1 }, (_, lag) => {
    let sum = 0;
    for (let t = lag; t < n; t++) sum += x[t]! * x[t - lag]!;
    return sum / n;
  });
}

/**
 * Fixed-b distribution of a t ratio whose standard error uses the Bartlett kernel over a fixed share b of the sample (Kiefer and
 * Vogelsang, 2005, table 1). P values are interpolated between the critical values of the table, and extrapolated beyond 99%.
 */
export function fixedB(b: number): Reference {
  const knots = CUBICS.map(([probability, ...a]) => ({
    z: normalQuantile(probability),
    t: a[0] + a[1] * b + a[2] * b ** 2 + a[3] * b ** 3,
  }));
  return {
    df: null,
    pOf: (t) => normalTwoSided(interpolate(knots, Math.abs(t), "t", "z")),
    critical: knots[2]!.t,
    fourFifths: interpolate(knots, normalQuantile(0.8), "z", "t"),
  };
}

interface Knot {
  readonly z: number;
  readonly t: number;
}

function interpolate(
  knots: readonly Knot[],
  x: number,
  from: keyof Knot,
  to: keyof Knot,
): number {
  const points = [{ z: 0, t: 0 }, ...knots];
  const found = points.findIndex((point) => point[from] >= x);
  const right = found === -1 ? points.length - 1 : Math.max(1, found);
  const [a, b] = [points[right - 1]!, points[right]!];
  return a[to] + (x - a[from]) * (b[to] - a[to]) / (b[from] - a[from]);
}
