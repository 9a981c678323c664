import type { Reason } from "../reason.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import type { Reference } from "./distributions.ts";

/**
 * One statistic by session: input of the tests on a mean.
 *
 * Every session of the span has an index, even if its value is null, so the overlap of windows is counted and not assumed.
 */
export interface SessionSeries {
  /** Name of the values, such as `ic`, `spread` or `return`. */
  readonly name: string;
  /** Number of sessions that the window of a value spans: 1 for a return from one close to the next. */
  readonly horizon: number;
  /** Group of the values; `null` for all stocks. */
  readonly group: string | null;
  /** Name of one period of the series: session, month; `period` if its dates do not show it. */
  readonly unit: string;
  /** The column of its days: `date` of money, the session at whose close it is earned. @default "session", of the score */
  readonly dated?: "date" | "session";
  /** Session of the first entry, in days since 1970-01-01; left out where it is not known. */
  readonly entered?: number;
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** Index of each session among the sessions of the prices, ascending. */
  readonly places: Int32Array;
  /** The value of each session; NaN stands for null. */
  readonly values: Float64Array;
  /** Number of stocks behind each value. */
  readonly counts: Int32Array;
  /** Mean share of a portfolio's weight in stocks without a return; left out for other series. */
  readonly missingWeight?: number;
}

/** Part of a series that a test of its mean requires. */
export type MeanSeries = Pick<SessionSeries, "values" | "places" | "horizon">;

/** Values of a series without nulls, and the overlap of their windows. */
export interface Observations {
  /** The values, oldest first. */
  readonly values: Float64Array;
  /** Place of each value among the sessions of the prices. */
  readonly places: Int32Array;
  /** Number of sessions that the window of a value spans. */
  readonly horizon: number;
  /** Maximum number of later windows that begin before a window ends, plus one. */
  readonly overlap: number;
}

/** Removes the nulls of a series and counts the overlap of the remaining windows. */
export function toObservations(series: MeanSeries): Observations {
  const all = series.values.length;
  const [values, places] = [new Float64Array(all), new Int32Array(all)];
  let n = 0;
  for (let i = 0; i < all; i++) {
    const value = series.values[i]!;
    if (value !== value) continue;
    values[n] = value;
    places[n++] = series.places[i]!;
  }
  const { horizon } = series;
  const own = places.slice(0, n);
  return { values: values.slice(0, n), places: own, horizon, overlap: countOverlap(own, horizon) };
}

/**
 * Maximum number of later windows that begin before a window ends, plus one: `horizon` for daily values, 1 for values that
 * are `horizon` sessions apart.
 */
function countOverlap(places: Int32Array, horizon: number): number {
  let largest = 1;
  let end = 0;
  for (let i = 0; i < places.length; i++) {
    while (end < places.length && places[end]! < places[i]! + horizon) end++;
    largest = Math.max(largest, end - i);
  }
  return largest;
}

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

/** Mean of values; `null` if there are none. */
export function meanOrNull(values: ArrayLike<number>): number | null {
  return values.length === 0 ? null : meanOf(values);
}

/** Fewest values of a test. */
export const LEAST_SESSIONS = 20;

/** Fewest non-overlapping windows of a test. */
const LEAST_WINDOWS = 10;

/** The values of a test, as the columns that stand together in tables have them. */
export function testCells(
  { standardError, t, df, p, low, high }: Pick<
    TestedMean,
    "standardError" | "t" | "df" | "p" | "low" | "high"
  >,
) {
  return [standardError, t, df, p, low, high];
}

/** The values of a tested mean, likewise. */
export function testedCells(test: TestedMean) {
  return [test.mean, ...testCells(test), test.n, test.reason];
}

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
    mean: meanOrNull(values),
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
