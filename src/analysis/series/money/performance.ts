import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../../arguments/check_options.ts";
import { studentQuantile } from "../../inference/distribution/distributions.ts";
import { deviationOf, isConstant, meanOf } from "../../inference/moments.ts";
import type { Reason } from "../../reason.ts";
import { frameOfRows, type RowColumn } from "../../table/frame_of_rows.ts";
import { readOneSessionReturns } from "./cumulative_returns.ts";
import { SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import { kurtosisOf, type RatioStatistics, ratioStatistics, skewnessOf } from "./sharpe_ratio.ts";
import { fallsOf, wealthOf } from "./wealth.ts";

/** Options of {@link performance}. */
export interface PerformanceOptions extends SeriesOptions {
  /**
   * How many variants were tried before this one was chosen: a ledger's `count`. The deflated Sharpe ratio needs it.
   *
   * @default 1
   */
  readonly variants?: number;
  /**
   * Standard deviation of the Sharpe ratios of the variants, by session and not annualised.
   *
   * @default 1 / √(n − 1), the standard error of a ratio that is zero
   */
  readonly variantDeviation?: number;
}

const YEAR = 252;
const LEAST = 20;

interface Row extends RatioStatistics {
  readonly sessions: number;
  readonly missing: number;
  readonly wealth: number;
  readonly annualReturn: number | null;
  readonly arithmeticReturn: number | null;
  readonly volatility: number | null;
  readonly maxDrawdown: number;
  readonly sortino: number | null;
  readonly calmar: number | null;
  readonly skewness: number | null;
  readonly excessKurtosis: number | null;
  readonly variants: number;
  readonly reason: Reason | null;
}

const COLUMNS: readonly RowColumn<Row>[] = [
  { name: "sessions", type: "count", read: (row) => row.sessions },
  { name: "missing", type: "count", read: (row) => row.missing },
  { name: "wealth", type: "number", read: (row) => row.wealth },
  { name: "annual_return", type: "number", read: (row) => row.annualReturn },
  { name: "arithmetic_return", type: "number", read: (row) => row.arithmeticReturn },
  { name: "volatility", type: "number", read: (row) => row.volatility },
  { name: "sharpe", type: "number", read: (row) => row.sharpe },
  { name: "sharpe_error", type: "number", read: (row) => row.sharpeError },
  { name: "sharpe_low", type: "number", read: (row) => row.sharpeLow },
  { name: "sharpe_high", type: "number", read: (row) => row.sharpeHigh },
  { name: "sortino", type: "number", read: (row) => row.sortino },
  { name: "max_drawdown", type: "number", read: (row) => row.maxDrawdown },
  { name: "calmar", type: "number", read: (row) => row.calmar },
  { name: "skewness", type: "number", read: (row) => row.skewness },
  { name: "excess_kurtosis", type: "number", read: (row) => row.excessKurtosis },
  { name: "probabilistic_sharpe", type: "number", read: (row) => row.probabilistic },
  { name: "deflated_sharpe", type: "number", read: (row) => row.deflated },
  { name: "variants", type: "count", read: (row) => row.variants },
  { name: "reason", type: "text", read: (row) => row.reason },
];

/**
 * The usual numbers of a series of returns, in one row. A year is 252 sessions: `sessions` / 252 years, whatever the
 * calendar says.
 *
 * Columns: `sessions` (Int32, returns that are there), `missing` (Int32, null returns), `wealth` (of 1 at the start),
 * `annual_return` (wealth ^ (252 / sessions) − 1), `arithmetic_return` (252 times the mean), `volatility` (√252 times the
 * deviation with n − 1), `sharpe` (√252 times mean over deviation; no interest is subtracted) with `sharpe_error`
 * (Mertens, 2002, with n − 1), `sharpe_low` and `sharpe_high` (95 %, Student's t with n − 1), `sortino` (over the root of the mean squared loss),
 * `max_drawdown` (in [−1, 0]; the start is a peak), `calmar` (annual return over the drawdown), `skewness` and
 * `excess_kurtosis` (biased, as scipy's), `probabilistic_sharpe` (probability that the true ratio is above 0; Bailey and
 * López de Prado, 2012), `deflated_sharpe` (above the largest of so many `variants` without merit; 2014), `reason`.
 *
 * With fewer than 20 returns every ratio is null, reason `too_few_windows`; where returns do not vary, `no_variance`. The
 * Sharpe ratio's error holds for returns that do not depend on each other.
 *
 * @param returns One series of returns of one session each
 * @param options Which column holds the returns, and how many variants were tried
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If there are several series, a window spans several sessions, or a number is out of range
 *
 * @example Usage
 * ```ts
 * import { performance } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const session = ["2026-01-05", "2026-01-06"];
 * const [row] = performance(pl.DataFrame({ session, return: [0.1, -0.5] })).toRecords();
 * console.assert(row?.max_drawdown === -0.5 && row.sharpe === null);
 * ```
 */
export function performance(returns: SeriesInput, options: PerformanceOptions = {}): DataFrame {
  assertKnownOptions("measure the performance", options, [
    ...SERIES_OPTIONS,
    "variants",
    "variantDeviation",
  ]);
  const { variants = 1, variantDeviation } = options;
  assertVariants(variants, variantDeviation);
  const series = readOneSessionReturns("measure the performance", returns, options);
  const all = series.values;
  const values = all.filter((value) => !Number.isNaN(value));
  return frameOfRows([measure(values, all.length, variants, variantDeviation)], COLUMNS);
}

function assertVariants(variants: number, deviation: number | undefined): void {
  if (!Number.isSafeInteger(variants) || variants < 1) {
    throw new RangeError(
      `Cannot measure the performance: variants is a whole number from 1 on, got ${variants}`,
    );
  }
  if (deviation === undefined || (Number.isFinite(deviation) && deviation >= 0)) return;
  throw new RangeError(
    `Cannot measure the performance: variantDeviation is at least 0, got ${deviation}`,
  );
}

function measure(
  values: Float64Array,
  sessions: number,
  variants: number,
  variantDeviation: number | undefined,
): Row {
  const n = values.length;
  const wealth = wealthOf(values);
  const final = wealth.at(-1) ?? 1;
  const maxDrawdown = fallsOf(wealth).reduce((least, { depth }) => Math.min(least, depth), 0);
  const deviation = deviationOf(values);
  const isShort = n < LEAST;
  const reason = isShort ? "too_few_windows" : isConstant(values) ? "no_variance" : null;
  const annualReturn = isShort || final <= 0 ? null : final ** (YEAR / n) - 1;
  const spread = variantDeviation ?? 1 / Math.sqrt(Math.max(1, n - 1));
  return {
    sessions: n,
    missing: sessions - n,
    wealth: final,
    annualReturn,
    arithmeticReturn: isShort ? null : YEAR * meanOf(values),
    volatility: isShort ? null : Math.sqrt(YEAR) * deviation!,
    ...ratioStatistics(reason === null ? values : null, {
      year: YEAR,
      variants,
      spread,
      critical: n > 1 ? studentQuantile(0.975, n - 1) : 0,
    }),
    sortino: isShort ? null : sortinoOf(values),
    maxDrawdown,
    calmar: annualReturn === null || maxDrawdown === 0 ? null : annualReturn / -maxDrawdown,
    skewness: reason === null ? skewnessOf(values) : null,
    excessKurtosis: reason === null ? kurtosisOf(values) : null,
    variants,
    reason,
  };
}

function sortinoOf(values: Float64Array): number | null {
  const loss = Math.sqrt(meanOf(values.map((value) => Math.min(value, 0) ** 2)));
  return loss > 0 ? Math.sqrt(YEAR) * meanOf(values) / loss : null;
}
