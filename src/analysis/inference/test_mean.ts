import {
  type InferenceMethod,
  isTooShort,
  type MeanSeries,
  type MethodResult,
  type Observations,
  type TestedMean,
  toObservations,
  toTestedMean,
  withoutTest,
} from "./tested_mean.ts";
import { demean, isConstant, sumOfSquares } from "../../base/statistics/moments.ts";
import {
  NORMAL,
  normalQuantile,
  normalTwoSided,
  type Reference,
  studentReference,
} from "./distributions.ts";
import { describe } from "../../base/contract/violation.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { type BootstrapOptions, testByBootstrap } from "./bootstrap.ts";

/**
 * Plain t tests of values `horizon` sessions apart, from every starting session: a cross-check of overlapping windows. The
 * starting session is arbitrary, so the median t is reported.
 *
 * A start with fewer than ten values has no t.
 */
export function nonOverlapping(observations: Observations, against = 0) {
  const { horizon } = observations;
  const none = (reason: "too_few_windows" | "no_variance") => {
    return { t: new Float64Array(0), middle: withoutTest(observations, "non-overlapping", reason) };
  };
  if (isTooShort(observations)) return none("too_few_windows");
  const tests = Array.from(
    { length: horizon },
    (_, start) => testStart(observations, start, against),
  )
    .filter((test) => test.t !== null)
    .toSorted((a, b) => a.t! - b.t!);
  const t = Float64Array.from(tests, (test) => test.t!);
  const middle = tests[(tests.length - 1) >> 1];
  if (middle === undefined) {
    return none(isConstant(observations.values) ? "no_variance" : "too_few_windows");
  }
  const note = `t from ${t[0]!.toFixed(2)} to ${t.at(-1)!.toFixed(2)} over ${t.length} starting ` +
    `${t.length === 1 ? "session" : "sessions"}; the middle one is shown`;
  return { t, middle: { ...middle, note } };
}

function testStart(observations: Observations, start: number, against: number): TestedMean {
  const { places, horizon } = observations;
  const first = (places[0] ?? 0) + start;
  const values = observations.values.filter((_, i) => (places[i]! - first) % horizon === 0);
  const own = { values, places, horizon, overlap: 1 };
  if (values.length < 10) return withoutTest(own, "non-overlapping", "too_few_windows");
  const variance = isConstant(values) ? 0 : sumOfSquares(demean(values)) / (values.length - 1);
  const reference = studentReference(values.length - 1);
  const method = "non-overlapping";
  return toTestedMean(own, { method, variance, reference, against, note: null });
}

// 4 MB: enough for 3,000 values.
const MOST_KEPT = 500_000;

// Most series of an analysis are equally long, and the cosines take most of the time.
let kept: readonly Float64Array[] = [];

/**
 * Number of cosines for n values whose windows overlap so many times: 0.2 n^(2/3), at least 4, and at most the number
 * of windows over 2.5. In whole numbers only, so that every implementation agrees.
 */
export function ewcDegrees(n: number, overlap: number): number {
  return Math.min(Math.max(4, fifthOfTwoThirds(n)), Math.floor(2 * n / (5 * overlap)));
}

// The largest integer with 125 k³ ≤ n²; 1000^(2/3) is 99.99… in floating point.
function fifthOfTwoThirds(n: number): number {
  let k = Math.floor(0.2 * n ** (2 / 3));
  while (125 * (k + 1) ** 3 <= n ** 2) k++;
  while (125 * k ** 3 > n ** 2) k--;
  return k;
}

/**
 * Cosine-weighted sums of values: √(2/n) Σ x_t cos(π j (t − ½) / n) for j = 1 … count.
 *
 * @param values The values, oldest first
 * @param count Number of cosines
 */
export function cosineSums(values: ArrayLike<number>, count: number): Float64Array {
  const n = values.length;
  const sums = new Float64Array(count);
  const cosines = cosinesOf(n, count);
  const row = new Float64Array(cosines === null ? n : 0);
  for (let j = 0; j < count; j++) {
    const weights = cosines === null ? fillCosines(row, j + 1) : cosines[j]!;
    let sum = 0;
    for (let t = 0; t < n; t++) sum += values[t]! * weights[t]!;
    sums[j] = Math.sqrt(2 / n) * sum;
  }
  return sums;
}

/** At least `count` cosines for series of length `n`; `null` if they are too many to cache. */
function cosinesOf(n: number, count: number): readonly Float64Array[] | null {
  if (n * count > MOST_KEPT) return null;
  if (kept[0]?.length !== n || kept.length < count) {
    kept = Array.from({ length: count }, (_, j) => fillCosines(new Float64Array(n), j + 1));
  }
  return kept;
}

function fillCosines(weights: Float64Array, j: number): Float64Array {
  const step = Math.PI * j / weights.length;
  for (let t = 0; t < weights.length; t++) weights[t] = Math.cos(step * (t + 0.5));
  return weights;
}

// Probability below the critical value, and a0 … a3 of a0 + a1 b + a2 b² + a3 b³: Bartlett kernel.
const CUBICS = [
  [0.9, 1.2816, 1.304, 0.5135, -0.3386],
  [0.95, 1.6449, 2.1859, 0.3142, -0.3427],
  [0.975, 1.96, 2.9694, 0.416, -0.5324],
  [0.99, 2.3263, 4.1618, 0.5368, -0.906],
] as const;

function bartlettVariance(values: Float64Array, lags: number, bandwidth: number): number {
  return autocovariances(values, lags).reduce(
    (sum, covariance, lag) => sum + (lag === 0 ? 1 : 2 * (1 - lag / (bandwidth + 1))) * covariance,
    0,
  );
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

type Knot = Readonly<Record<"z" | "t", number>>;

function interpolate(knots: readonly Knot[], x: number, from: keyof Knot, to: keyof Knot): number {
  const points = [{ z: 0, t: 0 }, ...knots];
  const found = points.findIndex((point) => point[from] >= x);
  const right = found === -1 ? points.length - 1 : Math.max(1, found);
  const [a, b] = [points[right - 1]!, points[right]!];
  return a[to] + (x - a[from]) * (b[to] - a[to]) / (b[from] - a[from]);
}

/** Estimator of the standard error of a mean: the default, or another method with its own options. */
export type Inference =
  | { readonly method: "ewc" | "hansen-hodrick" }
  | { readonly method: "non-overlapping" }
  | {
    readonly method: "newey-west";
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
  }
  | { readonly method: "bootstrap" } & BootstrapOptions;

/** An estimator and its options. */
export const INFERENCE: rules.Rule<Inference> = rules.ruleBy(
  'an estimator such as { method: "ewc" }',
  (_, inference: Inference) => assertInference(inference),
);

/** Options of the bootstrap. */
export const BOOTSTRAP: rules.Rule<BootstrapOptions> = rules.ruleBy(
  "an object",
  (_, given: BootstrapOptions) => assertInference({ method: "bootstrap", ...given }),
);

const PLAIN = { method: rules.TEXT };
const OPTIONS: Readonly<Record<InferenceMethod, Readonly<Record<string, rules.OptionRule>>>> = {
  ewc: PLAIN,
  "newey-west": {
    ...PLAIN,
    criticalValues: rules.oneOf("fixed-b", "normal"),
    correction: rules.FLAG,
    lag: rules.whole(0),
  },
  "hansen-hodrick": PLAIN,
  "non-overlapping": PLAIN,
  bootstrap: { ...PLAIN, draws: rules.whole(99), seed: rules.whole(0), block: rules.BLOCK_LENGTH },
};

/**
 * Tests the mean of a series by session.
 *
 * @param series The series; NaN stands for null
 * @param inference Estimator of the standard errors; equal-weighted cosines by default
 * @param against Null hypothesis about the mean
 */
export function testMean(
  series: MeanSeries,
  inference: Inference = { method: "ewc" },
  against = 0,
): TestedMean {
  assertInference(inference);
  const observations = toObservations(series);
  if (inference.method === "non-overlapping") return nonOverlapping(observations, against).middle;
  if (inference.method === "bootstrap") {
    return testByBootstrap(observations, { ...inference, against });
  }
  const { method } = inference;
  if (isTooShort(observations)) return withoutTest(observations, method, "too_few_windows");
  return toTestedMean(observations, { method, against, ...estimate(observations, inference) });
}

/** Long-run variance of one value, and the reference distribution of the t ratio. */
function estimate(
  { values, overlap }: Observations,
  inference: Exclude<Inference, { readonly method: "bootstrap" | "non-overlapping" }>,
): Pick<MethodResult, "variance" | "reference" | "note"> {
  const n = values.length;
  const isFlat = isConstant(values);
  if (inference.method === "newey-west") {
    const { lag = overlap - 1, criticalValues = "fixed-b", correction = false } = inference;
    const scale = correction ? n / (n - 1) : 1;
    return {
      variance: isFlat ? 0 : scale * bartlettVariance(values, Math.min(lag, n - 1), lag),
      reference: criticalValues === "normal" ? NORMAL : fixedB(Math.min(1, (lag + 1) / n)),
      note: `Newey-West with lag ${lag} rejects more often than stated`,
    };
  }
  if (inference.method === "hansen-hodrick") {
    const variance = autocovariances(values, overlap - 1).reduce(
      (sum, covariance, lag) => sum + (lag === 0 ? 1 : 2) * covariance,
      0,
    );
    const note = "Hansen-Hodrick rejects more often than stated where windows are few";
    return { variance: isFlat ? 0 : variance, reference: NORMAL, note };
  }
  const df = ewcDegrees(n, overlap);
  // The cosines are orthogonal to the mean; without it the sums are exact.
  const variance = isFlat ? 0 : sumOfSquares(cosineSums(demean(values), df)) / df;
  return { variance, reference: studentReference(df), note: null };
}

/**
 * Refuses an unknown method, and options that a method does not have.
 *
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If the method is unknown or a number is out of range
 */
function assertInference(inference: Inference): void {
  const known = OPTIONS[inference?.method];
  if (known === undefined) {
    throw new RangeError(
      `Cannot test a mean: expected method to be one of ${Object.keys(OPTIONS).join(", ")}, got ` +
        describe(inference?.method),
    );
  }
  rules.checkOptions(`test a mean by ${inference.method}`, inference, known);
}
