import { checkOptions } from "../../../base/arguments/check_options.ts";
import { isConstant, UPPER_END } from "../../../base/statistics/moments.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import { studentQuantile } from "../../inference/distribution/distributions.ts";
import type { SessionSeries } from "../../inference/session_series.ts";
import { testMean } from "../../inference/test_mean.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { assertDated, assertSameDates } from "../read_dated.ts";
import { onCommonSessions } from "../common_sessions.ts";
import { SERIES_RULES, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import { readOneSessionReturns } from "../wealth/cumulative_returns.ts";
import {
  ANNUAL_RULES,
  type AnnualOptions,
  assertSameSpacing,
  periodsOfYear,
} from "../periods_of_year.ts";
import { ratioStatistics } from "./sharpe_ratio.ts";
import { fallsOf, wealthOf } from "../wealth/wealth.ts";

/** Columns of the table, in order. */
const ACTIVE_COLUMNS = {
  sessions: "count",
  missing: "count",
  active_return: "number",
  active_low: "number",
  active_high: "number",
  p: "number",
  tracking_error: "number",
  information_ratio: "number",
  information_ratio_low: "number",
  information_ratio_high: "number",
  max_active_drawdown: "number",
  reason: "text",
} as const;

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
): TableFrame<typeof ACTIVE_COLUMNS> {
  checkOptions(ACTION, options, { ...SERIES_RULES, ...ANNUAL_RULES });
  const { periodsPerYear, ...columns } = options;
  const own = readOneSessionReturns(ACTION, returns, columns);
  const market = readOneSessionReturns(ACTION, benchmark, columns);
  const names = ["returns", "benchmark"] as const;
  assertDated(ACTION, [own, market], names);
  assertSameSpacing(ACTION, [own, market], names);
  assertSameDates(ACTION, [own, market], "benchmark");
  const year = periodsOfYear(ACTION, own, periodsPerYear);
  return tableOfRows([measure(own, market, year)], ACTIVE_COLUMNS, {});
}

function measure(own: SessionSeries, market: SessionSeries, year: number) {
  const [portfolio, benchmark] = onCommonSessions([own, market]);
  const theirs = benchmark!.values;
  const active = portfolio!.values.map((value, i) => value - theirs[i]!);
  const test = testMean({ ...portfolio!, values: active });
  const reason = test.reason ?? (isConstant(active) ? "no_variance" : null);
  const relative = portfolio!.values.map((value, i) => (1 + value) / (1 + theirs[i]!) - 1);
  const isShort = reason === "too_few_windows";
  const critical = isShort ? 0 : studentQuantile(UPPER_END, active.length - 1);
  const { n: sessions, low, high, p } = test;
  const ratio = ratioStatistics(reason === null ? active : null, {
    ...{ year, variants: 1, spread: 0, critical },
  });
  return {
    ...{ sessions, missing: own.values.length - active.length, p },
    activeReturn: isShort ? null : year * test.mean!,
    activeLow: low && year * low,
    activeHigh: high && year * high,
    trackingError: isShort ? null : Math.sqrt(year) * test.deviation!,
    informationRatio: ratio.sharpe,
    informationRatioLow: ratio.sharpeLow,
    informationRatioHigh: ratio.sharpeHigh,
    maxActiveDrawdown: Math.min(0, ...fallsOf(wealthOf(relative)).map(({ depth }) => depth)),
    reason,
  };
}
