import { normalCdf, normalQuantile } from "../../inference/distribution/distributions.ts";
import { demean, deviationOf, meanOf } from "../../../base/statistics/moments.ts";

const EULER = 0.5772156649015329;

/** A Sharpe ratio with its standard error, and the probabilities that rest on them. */
export interface RatioStatistics {
  /** Mean over deviation, annualised. */
  readonly sharpe: number | null;
  /** Its standard error, annualised. */
  readonly sharpeError: number | null;
  readonly sharpeLow: number | null;
  readonly sharpeHigh: number | null;
  /** Probability that the true ratio is above 0. */
  readonly probabilisticSharpe: number | null;
  /** Probability that it is above the largest that so many variants without merit would show. */
  readonly deflatedSharpe: number | null;
}

/** Inputs of a ratio's statistics beside the returns. */
export interface RatioPlan {
  /** Sessions of a year. */
  readonly year: number;
  /** Number of variants that were tried. */
  readonly variants: number;
  /** Standard deviation of their ratios by session. */
  readonly spread: number;
  /** Half the width of the interval, in standard errors. */
  readonly critical: number;
}

/** The Sharpe ratio of returns by session and its statistics; `null` throughout for `null`. */
export function ratioStatistics(values: Float64Array | null, plan: RatioPlan): RatioStatistics {
  if (values === null) {
    return {
      sharpe: null,
      sharpeError: null,
      sharpeLow: null,
      sharpeHigh: null,
      probabilisticSharpe: null,
      deflatedSharpe: null,
    };
  }
  const ratio = meanOf(values) / deviationOf(values)!;
  const error = errorOf(values, ratio);
  const scale = Math.sqrt(plan.year);
  return {
    sharpe: scale * ratio,
    sharpeError: scale * error,
    sharpeLow: scale * (ratio - plan.critical * error),
    sharpeHigh: scale * (ratio + plan.critical * error),
    probabilisticSharpe: normalCdf(ratio / error),
    deflatedSharpe: normalCdf((ratio - largestByChance(plan)) / error),
  };
}

/** Skewness, biased. */
export function skewnessOf(values: Float64Array): number {
  const x = demean(values);
  return meanOf(x.map((value) => value ** 3)) / meanOf(x.map((value) => value ** 2)) ** 1.5;
}

/** Kurtosis less that of the normal, biased. */
export function kurtosisOf(values: Float64Array): number {
  const x = demean(values);
  return meanOf(x.map((value) => value ** 4)) / meanOf(x.map((value) => value ** 2)) ** 2 - 3;
}

// Mertens (2002), with the n − 1 of Bailey and López de Prado (2012).
function errorOf(values: Float64Array, ratio: number): number {
  const spread = 1 + ratio ** 2 / 2 - skewnessOf(values) * ratio +
    kurtosisOf(values) / 4 * ratio ** 2;
  return Math.sqrt(spread / (values.length - 1));
}

// The expected largest ratio among variants that have none (Bailey and López de Prado, 2014).
function largestByChance({ variants, spread }: RatioPlan): number {
  if (variants === 1) return 0;
  return spread * (
    (1 - EULER) * normalQuantile(1 - 1 / variants) +
    EULER * normalQuantile(1 - 1 / (variants * Math.E))
  );
}
