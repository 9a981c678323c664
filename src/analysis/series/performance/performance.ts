import { normalCdf, normalQuantile, studentQuantile } from "../../inference/distributions.ts";
import {
  demean,
  deviationOf,
  isConstant,
  meanOf,
  UPPER_END,
} from "../../../base/statistics/moments.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { checkOptions, whole } from "../../../base/arguments/check_options.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import {
  assertDated,
  assertSameDates,
  onCommonSessions,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "../read_series.ts";
import {
  annualOf,
  largestFall,
  lossOf,
  readOneSessionReturns,
  wealthOf,
} from "../wealth/cumulative_returns.ts";
import {
  ANNUAL_RULES,
  type AnnualOptions,
  assertSameSpacing,
  periodsOfYear,
} from "../periods_of_year.ts";
import type { TableOf } from "../../table/columns.ts";
import { LEAST_SESSIONS, type SessionSeries } from "../../inference/tested_mean.ts";
import { weekdaysTo } from "../../dense/days.ts";
import { countText } from "../../../base/wording/number_text.ts";
import type { Reason } from "../../reason.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import { testMean } from "../../inference/test_mean.ts";

const EULER = 0.5772156649015329;

/** Columns of the table, in order. */
export const SHARPE_COLUMNS = "date n sharpe low high reason";

/**
 * The ratio of returns for a year, its standard error and its interval; the probabilities that it is above 0, and above the largest one
 * that so many variants without skill are expected to have.
 *
 * @param deviation Standard deviation of their ratios by session
 */
function ratioStatistics(
  values: Float64Array,
  reason: Reason | null,
  year: number,
  variants = 1,
  deviation = 1 / Math.sqrt(values.length - 1),
): readonly (number | null)[] {
  if (reason !== null) return [null, null, null, null, null, null];
  const ratio = meanOf(values) / deviationOf(values)!;
  const error = errorOf(values, ratio);
  const half = studentQuantile(UPPER_END, values.length - 1) * error;
  const largest = variants === 1 ? 0 : deviation * largestByChance(variants);
  return [
    ...[ratio, error, ratio - half, ratio + half].map((value) => Math.sqrt(year) * value),
    normalCdf(ratio / error),
    normalCdf((ratio - largest) / error),
  ];
}

/** Skewness, biased. */
function skewnessOf(values: Float64Array): number {
  const x = demean(values);
  return meanOf(x.map((value) => value ** 3)) / meanOf(x.map((value) => value ** 2)) ** 1.5;
}

/** Kurtosis less that of the normal, biased. */
function kurtosisOf(values: Float64Array): number {
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
function largestByChance(variants: number): number {
  return (1 - EULER) * normalQuantile(1 - 1 / variants) +
    EULER * normalQuantile(1 - 1 / (variants * Math.E));
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
    const [sharpe, , low, high] = ratioStatistics(values, reason, year);
    return [day, n, sharpe!, low!, high!, reason];
  });
  return tableOfRows(rows, SHARPE_COLUMNS);
}

const RULES: rules.OptionRules<NonNullable<Parameters<typeof performance>[1]>> = {
  ...SERIES_RULES,
  ...ANNUAL_RULES,
  variants: rules.whole(1),
  variantDeviation: rules.FINITE_AMOUNT,
};

/** Columns of the table, in order. */
export const PERFORMANCE_COLUMNS = `sessions missing wealth annual_return arithmetic_return
  volatility sharpe sharpe_error sharpe_low sharpe_high sortino max_drawdown calmar skewness
  excess_kurtosis probabilistic_sharpe deflated_sharpe variants reason`;

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
): TableOf<typeof PERFORMANCE_COLUMNS> {
  rules.checkOptions("measure the performance", options, RULES);
  const { variants = 1, variantDeviation } = options;
  const series = readOneSessionReturns("measure the performance", returns, options);
  const year = periodsOfYear("measure the performance", series, options.periodsPerYear);
  const loss = lossOf(series.values);
  const all = loss === -1 ? series.values : series.values.slice(0, loss + 1);
  const values = all.filter((value) => !Number.isNaN(value));
  const annual = values.length < LEAST_SESSIONS ? null : annualOf(all, year);
  const reason = reasonOf(values);
  if (reason === "total_loss") sayLoss(series);
  const missing = all.length - values.length;
  sayHoles(series, missing);
  const ratios = ratioStatistics(values, reason, year, variants, variantDeviation);
  const cells = measure(values, ratios, { year, annual, reason });
  return tableOfRows([[values.length, missing, ...cells, variants, reason]], PERFORMANCE_COLUMNS);
}

/** The Sharpe ratio of returns with its interval, as {@link performance} has it. */
export function sharpeOf(values: Float64Array, year: number): readonly (number | null)[] {
  const known = values.filter((value) => !Number.isNaN(value));
  return ratioStatistics(known, reasonOf(known), year);
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

/** The cells of the table from the wealth to the probabilities. */
function measure(
  values: Float64Array,
  ratios: readonly (number | null)[],
  { year, annual, reason }: Readonly<
    { year: number; annual: number | null; reason: Reason | null }
  >,
) {
  const wealth = wealthOf(values);
  const fall = largestFall(wealth);
  const isShort = values.length < LEAST_SESSIONS;
  const isLost = reason === "total_loss";
  const arithmetic = isShort ? null : year * meanOf(values);
  const volatility = isShort ? null : Math.sqrt(year) * deviationOf(values)!;
  const sortino = isShort || isLost ? null : sortinoOf(values, year);
  const calmar = annual === null || isLost || fall === 0 ? null : annual / -fall;
  const shape = reason === null ? [skewnessOf(values), kurtosisOf(values)] : [null, null];
  const risk = [arithmetic, volatility, ...ratios.slice(0, 4), sortino, fall, calmar, ...shape];
  return [wealth.at(-1) ?? 1, annual, ...risk, ...ratios.slice(4)];
}

function reasonOf(values: Float64Array): Reason | null {
  if (wealthOf(values).at(-1) === 0) return "total_loss";
  if (values.length < LEAST_SESSIONS) return "too_few_windows";
  return isConstant(values) ? "no_variance" : null;
}

function sortinoOf(values: Float64Array, year: number): number | null {
  const loss = Math.sqrt(meanOf(values.map((value) => Math.min(value, 0) ** 2)));
  return loss > 0 ? Math.sqrt(year) * meanOf(values) / loss : null;
}

/** Columns of the table, in order. */
const ACTIVE_COLUMNS = `sessions missing active_return active_low active_high p tracking_error
  information_ratio information_ratio_low information_ratio_high max_active_drawdown reason`;

const ACTION = "measure the active performance";

/**
 * Performance of a portfolio relative to a benchmark, such as that of a long-only tilt to the equal-weighted universe, in one row.
 *
 * Columns: `sessions` (Int32, those with a return of both), `missing` (Int32, sessions of the portfolio without one of them),
 * `active_return` (252 times the mean of return less benchmark return, or `periodsPerYear` times) with `active_low` and
 * `active_high` (95%) and `p` (two-sided) of the equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018),
 * `tracking_error` (√252 times the standard deviation of the active return, with n − 1), `information_ratio` (active return over
 * tracking error) with `information_ratio_low` and `information_ratio_high` (95%, Mertens 2002, Student's t with n − 1, assuming serially independent active returns), `max_active_drawdown` (in [−1, 0]; of the wealth of the
 * portfolio over that of the benchmark), `reason`.
 *
 * With fewer than 20 sessions everything but the counts and the drawdown is null, reason `too_few_windows`; where the active return does not vary,
 * there is no ratio and no interval, reason `no_variance`.
 *
 * @param returns Returns of the portfolio, of one session each, by the `date` at whose close they are earned
 * @param benchmark Returns of the benchmark, by `date`; its other dates do not count
 * @param options Column of the returns of both, and periods of a year
 * @returns A frame of one row: active return, tracking error and information ratio with their intervals
 * @throws {TypeError} If a column is missing, days are in a column `session`, or an option is unknown
 * @throws {RangeError} If there are several series, a window spans several sessions, or the benchmark moves with the returns a session
 *   earlier or later rather than on the same dates
 * @see Grinold and Kahn (2000), Active portfolio management, chapters 4 and 5
 *
 * @example Usage
 * ```ts
 * import { activePerformance } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const days = Array.from({ length: 20 }, (_, i) => new Date(Date.UTC(2026, 9, 5 + i + 2 * Math.floor(i / 5))));
 * const date = days.map((day) => day.toISOString().slice(0, 10));
 * const market = pl.DataFrame({ date, return: days.map((_, i) => i % 2 === 0 ? 0.01 : -0.01) });
 * const tilt = pl.DataFrame({ date, return: days.map((_, i) => i % 2 === 0 ? 0.012 : -0.01) });
 * const [row] = activePerformance(tilt, market).toRecords();
 * console.assert(Math.abs(Number(row?.active_return) - 0.252) < 1e-12);
 * ```
 */
export function activePerformance(
  returns: SeriesInput,
  benchmark: SeriesInput,
  options: SeriesOptions & AnnualOptions = {},
): TableOf<typeof ACTIVE_COLUMNS> {
  rules.checkOptions(ACTION, options, { ...SERIES_RULES, ...ANNUAL_RULES });
  const { periodsPerYear, ...columns } = options;
  const own = readOneSessionReturns(ACTION, returns, columns);
  const market = readOneSessionReturns(ACTION, benchmark, columns);
  const names = ["returns", "benchmark"] as const;
  assertDated(ACTION, [own, market], names);
  assertSameSpacing(ACTION, [own, market], names);
  assertSameDates(ACTION, [own, market], "benchmark");
  const year = periodsOfYear(ACTION, own, periodsPerYear);
  return tableOfRows([measureActive(own, market, year)], ACTIVE_COLUMNS);
}

function measureActive(own: SessionSeries, market: SessionSeries, year: number) {
  const [portfolio, benchmark] = onCommonSessions([own, market]);
  const theirs = benchmark!.values;
  const active = portfolio!.values.map((value, i) => value - theirs[i]!);
  const test = testMean({ ...portfolio!, values: active });
  const reason = test.reason ?? (isConstant(active) ? "no_variance" : null);
  const relative = portfolio!.values.map((value, i) => (1 + value) / (1 + theirs[i]!) - 1);
  const isShort = reason === "too_few_windows";
  const [ratio, , ratioLow, ratioHigh] = ratioStatistics(active, reason, year);
  const { n, low, high, p } = test;
  const mean = [isShort ? null : year * test.mean!, low && year * low, high && year * high, p];
  const error = isShort ? null : Math.sqrt(year) * test.deviation!;
  const ratios = [error, ratio!, ratioLow!, ratioHigh!, largestFall(wealthOf(relative))];
  return [n, own.values.length - active.length, ...mean, ...ratios, reason];
}
