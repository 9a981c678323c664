import { normalCdf, normalQuantile, studentQuantile } from "../../inference/distributions.ts";
import {
  demean,
  deviationOf,
  isConstant,
  meanOf,
  UPPER_END,
} from "../../../base/statistics/moments.ts";
import { checkOptions, whole } from "../../../base/arguments/check_options.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { SERIES_RULES, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import { lossOf, readOneSessionReturns } from "../wealth/cumulative_returns.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import type { TableOf } from "../../table/columns.ts";

const EULER = 0.5772156649015329;

/** Columns of the table, in order. */
export const SHARPE_COLUMNS = "date n sharpe low high reason";

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

/**
 * The Sharpe ratio of returns by session, its standard error, both ends of its interval, and the probabilistic and the deflated
 * ratio; `null` throughout for `null`.
 */
export function ratioStatistics(
  values: Float64Array | null,
  plan: RatioPlan,
): readonly (number | null)[] {
  if (values === null) return [null, null, null, null, null, null];
  const ratio = meanOf(values) / deviationOf(values)!;
  const error = errorOf(values, ratio);
  const ends = [ratio, error, ratio - plan.critical * error, ratio + plan.critical * error];
  return [
    ...ends.map((value) => Math.sqrt(plan.year) * value),
    normalCdf(ratio / error),
    normalCdf((ratio - largestByChance(plan)) / error),
  ];
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

/**
 * The annualised Sharpe ratio of the last sessions, session by session, with its interval.
 *
 * One row per date, oldest first: `date` (Date, of the last return of the window), `n` (returns in the window), `sharpe` (mean over
 * standard deviation with n − 1, times √252 or √`periodsPerYear`), `low`, `high` (95%: the ratio plus and minus a quantile of
 * Student's t times √((1 + s²/2 − γ₃s + (γ₄ − 3)s²/4) / (n − 1)), s the ratio by session, γ₃ skewness, γ₄ kurtosis; for returns that do
 * not depend on each other), `reason` (of null: `too_few_windows` before the first whole window and where less than half of a window
 * has returns, `no_variance` where these do not vary, `total_loss` from one on).
 *
 * @param returns One series of returns by session
 * @param options The length of the window
 * @returns A frame of one row per session: the ratio of its window, with the interval
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If the window is not a whole number of at least 2, or returns span several sessions
 * @see Mertens (2002), Comments on variance of the IID estimator in Lo (2002)
 */
export function rollingSharpe(
  returns: SeriesInput,
  options: SeriesOptions & AnnualOptions & {
    /**
     * Number of sessions of a ratio.
     *
     * @default 252
     */
    readonly window?: number;
  } = {},
): TableOf<typeof SHARPE_COLUMNS> {
  const action = "measure the Sharpe ratio of the last sessions";
  checkOptions(action, options, { ...SERIES_RULES, ...ANNUAL_RULES, window: whole(2) });
  const { window = 252, periodsPerYear, ...columns } = options;
  const series = readOneSessionReturns(action, returns, columns);
  const year = periodsOfYear(action, series, periodsPerYear);
  const loss = lossOf(series.values);
  const rows = Array.from(series.days, (day, i) => {
    const values = series.values.slice(Math.max(0, i + 1 - window), i + 1)
      .filter((value) => !Number.isNaN(value));
    const n = values.length;
    const reason = loss !== -1 && i >= loss
      ? "total_loss"
      : i + 1 < window || n < 2 || 2 * n < window
      ? "too_few_windows"
      : isConstant(values)
      ? "no_variance"
      : null;
    const critical = reason === null ? studentQuantile(UPPER_END, n - 1) : 0;
    const known = reason === null ? values : null;
    const found = ratioStatistics(known, { year, variants: 1, spread: 0, critical });
    return [day, n, found[0]!, found[2]!, found[3]!, reason];
  });
  return tableOfRows(rows, SHARPE_COLUMNS);
}
