import type { Reason } from "../reason.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import type { Observations } from "./observations.ts";
import type { Reference } from "./distribution/reference.ts";

/** Estimator of the standard error of a mean. */
export type InferenceMethod =
  | "ewc"
  | "newey-west"
  | "hansen-hodrick"
  | "non-overlapping"
  | "bootstrap";

/** Test of the mean of a series by session. Numbers that cannot be computed are `null`, and `reason` says why. */
export interface TestedMean {
  /** Estimator of the standard error. */
  readonly method: InferenceMethod;
  /** Number of values. */
  readonly n: number;
  /** Their mean; `null` if there are none. */
  readonly mean: number | null;
  /** Their standard deviation with n − 1. */
  readonly deviation: number | null;
  /** Standard error of the mean. */
  readonly standardError: number | null;
  /** Mean minus the null hypothesis, divided by the standard error. */
  readonly t: number | null;
  /** Degrees of freedom of the t distribution; `null` for another reference distribution. */
  readonly df: number | null;
  /** Two-sided p value. */
  readonly p: number | null;
  /** Lower end of the 95% interval of the mean. */
  readonly low: number | null;
  /** Upper end of the 95% interval of the mean. */
  readonly high: number | null;
  /** Maximum number of windows that cover one session. */
  readonly overlap: number;
  /** Number of non-overlapping windows: n / overlap. */
  readonly windows: number;
  /** Number of independent values that would have the same standard error. */
  readonly effectiveN: number | null;
  /** Minimum detectable mean at the 5% level and 80% power, minus the null hypothesis. */
  readonly detectable: number | null;
  /** Reason why there is no test. */
  readonly reason: Reason | null;
  /** Caveat of the method; `null` for the default. */
  readonly note: string | null;
}

/** Fewest values of a test. */
export const LEAST_SESSIONS = 20;

/** Fewest non-overlapping windows of a test. */
const LEAST_WINDOWS = 10;

/** Columns of a test, in order. */
export const TEST_VALUES = {
  standard_error: "number",
  t: "number",
  df: "count",
  p: "number",
  low: "number",
  high: "number",
} as const;

/** Columns of a tested mean, in order. */
export const TESTED_COLUMNS = {
  mean: "number",
  ...TEST_VALUES,
  sessions: "count",
  reason: "text",
} as const;

/** True if a series is too short for any test: fewer than 20 values or 10 non-overlapping windows. */
export function isTooShort({ values, overlap }: Pick<Observations, "values" | "overlap">): boolean {
  return values.length < LEAST_SESSIONS || values.length < LEAST_WINDOWS * overlap;
}

/** The result for a series without a test. */
export function withoutTest(
  { values, overlap }: Observations,
  method: InferenceMethod,
  reason: Reason,
): TestedMean {
  return {
    method,
    n: values.length,
    mean: values.length === 0 ? null : meanOf(values),
    deviation: deviationOf(values),
    standardError: null,
    t: null,
    df: null,
    p: null,
    low: null,
    high: null,
    overlap,
    windows: values.length / overlap,
    effectiveN: null,
    detectable: null,
    reason,
    note: null,
  };
}

/** Estimate of a method. */
export interface MethodResult {
  readonly method: InferenceMethod;
  /** Long-run variance of one value. */
  readonly variance: number;
  /** Reference distribution of the t ratio. */
  readonly reference: Reference;
  /** Null hypothesis about the mean. */
  readonly against: number;
  readonly note: string | null;
}

/** The test of a series whose long-run variance was estimated. */
export function toTestedMean(observations: Observations, estimate: MethodResult): TestedMean {
  const { method, variance, reference, against, note } = estimate;
  const nothing = withoutTest(observations, method, "no_variance");
  const { mean, deviation, n } = nothing;
  if (!(variance > 0) || mean === null || deviation === null) return nothing;
  const standardError = Math.sqrt(variance / n);
  const t = (mean - against) / standardError;
  return {
    ...nothing,
    standardError,
    t,
    df: reference.df,
    p: reference.pOf(t),
    low: mean - reference.critical * standardError,
    high: mean + reference.critical * standardError,
    effectiveN: deviation ** 2 * (n - 1) / variance,
    detectable: (reference.critical + reference.fourFifths) * standardError,
    reason: null,
    note,
  };
}
