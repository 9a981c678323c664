import { LEAST_SESSIONS } from "../../inference/tested_mean.ts";
import {
  checkOptions,
  FINITE_AMOUNT,
  type OptionRules,
  whole,
} from "../../../base/arguments/check_options.ts";
import { studentQuantile } from "../../inference/distribution/distributions.ts";
import { deviationOf, isConstant, meanOf, UPPER_END } from "../../../base/statistics/moments.ts";
import { weekdaysTo } from "../../dense/days.ts";
import { countText } from "../../../base/wording/number_text.ts";
import type { Reason } from "../../reason.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import type { SessionSeries } from "../../inference/session_series.ts";
import { readOneSessionReturns } from "../wealth/cumulative_returns.ts";
import { SERIES_RULES, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import { kurtosisOf, type RatioStatistics, ratioStatistics, skewnessOf } from "./sharpe_ratio.ts";
import { annualOf, fallsOf, lossOf, wealthOf } from "../wealth/wealth.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

const RULES: OptionRules<NonNullable<Parameters<typeof performance>[1]>> = {
  ...SERIES_RULES,
  ...ANNUAL_RULES,
  variants: whole(1),
  variantDeviation: FINITE_AMOUNT,
};

/** Columns of the table, in order. */
export const PERFORMANCE_COLUMNS = {
  sessions: "count",
  missing: "count",
  wealth: "number",
  annual_return: "number",
  arithmetic_return: "number",
  volatility: "number",
  sharpe: "number",
  sharpe_error: "number",
  sharpe_low: "number",
  sharpe_high: "number",
  sortino: "number",
  max_drawdown: "number",
  calmar: "number",
  skewness: "number",
  excess_kurtosis: "number",
  probabilistic_sharpe: "number",
  deflated_sharpe: "number",
  variants: "count",
  reason: "text",
} as const;

/**
 * Performance statistics of a series of returns, in one row. A year has 252 sessions; weekly or monthly returns require `periodsPerYear`, which then replaces 252 below.
 *
 * Columns: `sessions` (Int32, returns that are not null), `missing` (Int32, null returns), `wealth` (final value of an
 * initial 1), `annual_return` (wealth ^ (252 / sessions from the first return to the last) − 1), `arithmetic_return`
 * (252 times the mean), `volatility` (√252 times the deviation with n − 1), `sharpe` (√252 times mean over deviation;
 * no interest is subtracted) with `sharpe_error` (Mertens, 2002, with n − 1), `sharpe_low` and `sharpe_high` (95%,
 * Student's t with n − 1), `sortino` (over the root of the mean squared loss), `max_drawdown` (in [−1, 0]; the start is
 * a peak), `calmar` (annual return over the drawdown), `skewness` and `excess_kurtosis` (biased, as in scipy),
 * `probabilistic_sharpe` (probability that the true ratio is above 0; Bailey and López de Prado, 2012),
 * `deflated_sharpe` (the same above the largest ratio expected of `variants` without skill; 2014), `reason`.
 *
 * With fewer than 20 returns every ratio is null, reason `too_few_windows`; where returns do not vary, `no_variance`. A
 * return of −1 or less loses all of the capital: the sample ends with it, wealth is 0, every ratio is null, reason
 * `total_loss`, and a notice is printed. Another notice is printed if at least 20 returns look like percentages: a volatility above 222% a
 * year. The standard error of the Sharpe ratio assumes serially independent returns.
 *
 * @param returns One series of returns of one session each
 * @param options Column of the returns, and number of variants that were tried
 * @returns A frame of one row with the performance statistics
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If there are several series, a window spans several sessions, or a number is out of range
 * @see Bailey and López de Prado (2014), The deflated Sharpe ratio, Journal of Portfolio Management 40; their paper of 2012 is in
 *   Journal of Risk 15
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
export function performance(
  returns: SeriesInput,
  options: SeriesOptions & AnnualOptions & {
    /** Number of variants that were tried before this one was chosen: a trial log's `count`. The deflated Sharpe ratio needs it. @default 1 */
    readonly variants?: number;
    /** Standard deviation of the Sharpe ratios of the variants, by session and not annualised. @default 1 / √(n − 1), the standard error of a ratio that is zero */
    readonly variantDeviation?: number;
  } = {},
): TableFrame<typeof PERFORMANCE_COLUMNS> {
  checkOptions("measure the performance", options, RULES);
  const { variants = 1, variantDeviation } = options;
  const series = readOneSessionReturns("measure the performance", returns, options);
  const year = periodsOfYear("measure the performance", series, options.periodsPerYear);
  const loss = lossOf(series.values);
  const all = loss === -1 ? series.values : series.values.slice(0, loss + 1);
  const values = all.filter((value) => !Number.isNaN(value));
  const annual = values.length < LEAST_SESSIONS ? null : annualOf(all, year);
  const measured = measure(values, annual, { year, variants, variantDeviation });
  if (measured.reason === "total_loss") sayLoss(series);
  sayHoles(series, all.length - values.length);
  return tableOfRows(
    [{ ...measured, missing: all.length - values.length }],
    PERFORMANCE_COLUMNS,
    {},
  );
}

/** The Sharpe ratio of returns with its interval, as {@link performance} has it. */
export function sharpeOf(
  values: Float64Array,
  year: number,
): RatioStatistics {
  const known = values.filter((value) => !Number.isNaN(value));
  const reason = reasonOf(known, wealthOf(known).at(-1) ?? 1);
  return ratiosOf(known, reason, { year, variants: 1, variantDeviation: undefined });
}

/** Says that returns are missing: null, or on days of which a daily series has none. */
function sayHoles({ days, unit }: SessionSeries, missing: number): void {
  const left = unit !== "session" || days.length < 2
    ? 0
    : weekdaysTo(days.at(-1)!) - weekdaysTo(days[0]!) + 1 - days.length;
  // Holidays are at most 4% of the weekdays of a year.
  const absent = left > MOST_HOLIDAYS + 0.04 * days.length ? left : 0;
  if (missing + absent === 0) return;
  const which = [
    ...missing === 0
      ? []
      : [`${countText(missing, "return")} ${missing === 1 ? "is" : "are"} null`],
    ...absent === 0
      ? []
      : [`${countText(absent, "weekday")} between its first and its last day have no row`],
  ];
  sayNotice(
    `performance(): the series has holes (${
      which.join(", and ")
    }): they count for nothing, so that annual numbers are of the days that it has; ` +
      "a day without a position has a return of 0",
  );
}

function sayLoss({ days, values }: SessionSeries): void {
  const place = lossOf(values);
  const day = place === -1 ? "" : ` of ${fromEpochDay(days[place]!)}`;
  sayNotice(
    `performance(): all of the capital is lost with the return${day}, so that nothing later counts; returns are shares, ` +
      "0.01 is one percent",
  );
}

const MOST_HOLIDAYS = 3;

interface Sample {
  readonly year: number;
  readonly variants: number;
  readonly variantDeviation: number | undefined;
}

function ratiosOf(
  values: Float64Array,
  reason: Reason | null,
  { year, variants, variantDeviation }: Sample,
): RatioStatistics {
  const n = values.length;
  return ratioStatistics(reason === null ? values : null, {
    year,
    variants,
    spread: variantDeviation ?? 1 / Math.sqrt(Math.max(1, n - 1)),
    critical: n > 1 ? studentQuantile(UPPER_END, n - 1) : 0,
  });
}

function measure(values: Float64Array, annual: number | null, sample: Sample) {
  const { year, variants } = sample;
  const wealth = wealthOf(values);
  const final = wealth.at(-1) ?? 1;
  const maxDrawdown = fallsOf(wealth).reduce((least, { depth }) => Math.min(least, depth), 0);
  const isShort = values.length < LEAST_SESSIONS;
  const reason = reasonOf(values, final);
  const isLost = reason === "total_loss";
  return {
    sessions: values.length,
    wealth: final,
    annualReturn: annual,
    arithmeticReturn: isShort ? null : year * meanOf(values),
    volatility: isShort ? null : Math.sqrt(year) * deviationOf(values)!,
    ...ratiosOf(values, reason, sample),
    sortino: isShort || isLost ? null : sortinoOf(values, year),
    maxDrawdown,
    calmar: annual === null || isLost || maxDrawdown === 0 ? null : annual / -maxDrawdown,
    skewness: reason === null ? skewnessOf(values) : null,
    excessKurtosis: reason === null ? kurtosisOf(values) : null,
    variants,
    reason,
  };
}

function reasonOf(values: Float64Array, final: number): Reason | null {
  if (final === 0) return "total_loss";
  if (values.length < LEAST_SESSIONS) return "too_few_windows";
  return isConstant(values) ? "no_variance" : null;
}

function sortinoOf(values: Float64Array, year: number): number | null {
  const loss = Math.sqrt(meanOf(values.map((value) => Math.min(value, 0) ** 2)));
  return loss > 0 ? Math.sqrt(year) * meanOf(values) / loss : null;
}
