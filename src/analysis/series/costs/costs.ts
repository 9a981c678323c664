import type { DataFrame } from "nodejs-polars";
import { valueText } from "../../../base/wording/number_text.ts";
import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { testMean } from "../../inference/test_mean.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { dayName } from "../../inference/table_series.ts";
import { readNumbers } from "../../table/read_columns.ts";
import {
  annualOf,
  entryOf,
  largestFall,
  lossOf,
  readOneSessionReturns,
  untilLoss,
  wealthOf,
} from "../wealth/cumulative_returns.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import type { SessionSeries } from "../../inference/tested_mean.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { Reason } from "../../reason.ts";
import { assertDated } from "../read_series.ts";
import type { TableOf } from "../../table/columns.ts";

/** Rates of one-way costs that a table has if none are given, in basis points. */
const USUAL_RATES: readonly number[] = [0, 5, 10, 20, 50];
/** The one-way cost that stands for usual trading, in basis points. */
export const USUAL_RATE = 10;

// No market trades for less; costs as a share of the traded value are of this size.
const LEAST = 0.05;
// Fewer than one basis point one way is rare, and usual as percent.
const LEAST_USUAL = 1;
const asked = new Set<number>();

/** A rate in basis points of the traded value; smaller ones can only be a share of it. */
export const RATE_RULE: rules.Rule<number> = rules.ruleOf(
  `a finite number of at least 0 basis points, and none below ${LEAST} (as a share of the traded value, 0.001 is 10)`,
  (value) => rules.FINITE_AMOUNT.accepts(value) && (value === 0 || Number(value) >= LEAST),
  { isKind: (value) => typeof value === "number" },
);

/** Rates of one-way costs in basis points, or one of them. */
export const RATES: rules.Rule<number | readonly number[]> = rules.ruleOf(
  `rates of 0 or at least ${LEAST} basis points, such as [0, 5, 10] (as a share of the traded value, 0.001 is 10)`,
  (value) => {
    const list = [value].flat();
    return list.length > 0 && list.every(RATE_RULE.accepts);
  },
  { isKind: () => true },
);

/** The rates that are given, or the usual ones. */
export function ratesOf(given: number | readonly number[] = USUAL_RATES): readonly number[] {
  const rates = [given].flat();
  rates.forEach(askRate);
  return rates;
}

/** Asks once about a rate that may be in percent. */
function askRate(rate: number): void {
  if (rate <= 0 || rate >= LEAST_USUAL || asked.has(rate)) return;
  asked.add(rate);
  sayNotice(
    `A cost of ${rate} is read in basis points, ${
      valueText(rate / 100)
    }% of the traded value; if it is in percent, write ${valueText(100 * rate)}`,
  );
}

/** Columns of the table, in order. */
export const COST_COLUMNS = `one_way_bps round_trip_bps sessions traded turnover gross net net_low
  net_high net_annual net_annual_low net_annual_high net_drawdown break_even_one_way_bps
  break_even_low break_even_high`;

/** A basis point as a share. */
export const BASIS_POINT = 1e-4;

/**
 * Costs of trading: one row per rate.
 *
 * Columns: `one_way_bps` and `round_trip_bps` (the rate), `sessions` (Int32), `traded` (mean Σ|Δw| a session, both
 * sides, so that a book turned over entirely trades twice its gross exposure), `turnover` (half of it), `gross` and
 * `net` (mean return a session), `net_low` and `net_high` (95% of `net`; null where the sample is too short),
 * `net_annual` (compounded from the first return to the last, for a year of 252 sessions or `periodsPerYear`; −1 after
 * a total loss) with `net_annual_low` and `net_annual_high` (the same for returns shifted so that their mean is at
 * either end of the interval of `net`), `net_drawdown`, and `break_even_one_way_bps` (mean gross return over mean
 * traded, the rate at which the net return is zero; null if nothing is traded, negative if the gross return is) with
 * `break_even_low` and `break_even_high` (95%, Fieller 1954; null where the sample is too short, or too little is
 * traded). The cost of a session is the rate times the value traded in it; trades of a session without a return are
 * charged to the next one with a return, or to the last. After a total loss nothing counts.
 *
 * @param portfolio The result of {@link portfolioReturns}, or a frame with `date` or `session`, `return` (gross) and `traded`
 * @param options The rates
 * @returns A frame of one row per rate: the net return, and the break-even
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a session occurs twice, or a rate or a traded amount is negative
 * @see Novy-Marx and Velikov (2016), A taxonomy of anomalies and their trading costs, Review of Financial Studies 29
 *
 * @example Usage
 * ```ts
 * import { tradingCosts } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const portfolio = pl.DataFrame({
 *   date: ["2026-01-05", "2026-01-06"],
 *   return: [0.002, 0.002],
 *   traded: [1, 1],
 * });
 * const [row] = tradingCosts(portfolio, { oneWayBps: [5] }).toRecords();
 * console.assert(Math.abs(Number(row?.break_even_one_way_bps) - 20) < 1e-9);
 * ```
 */
export function tradingCosts(
  portfolio: DataFrame,
  options: AnnualOptions & {
    /** One-way costs, in basis points of the traded value. @default [0, 5, 10, 20, 50] */
    readonly oneWayBps?: number | readonly number[];
  } = {},
): TableOf<typeof COST_COLUMNS> {
  const action = "count the costs of trading";
  rules.checkOptions(action, options, { oneWayBps: RATES, ...ANNUAL_RULES });
  const { series, traded } = readTraded(action, portfolio);
  const year = periodsOfYear(action, series, options.periodsPerYear);
  const of = (values: Float64Array) => testMean({ ...series, values });
  const [even, low, high] = breakEven(series, traded);
  const [{ mean: gross }, { mean: amount }] = [of(series.values), of(traded)];
  const bps = (share: number | null) => share === null ? null : share / BASIS_POINT;
  const rows = ratesOf(options.oneWayBps).map((rate) => {
    const net = netOf(series, traded, rate);
    const tested = of(net);
    const annualAt = (end: number | null) =>
      end === null ? null : annualOf(net.map((value) => value + end - tested.mean!), year);
    const drawdown = largestFall(wealthOf(net));
    const annual = [annualOf(net, year), annualAt(tested.low), annualAt(tested.high)];
    const means = [amount, amount === null ? null : amount / 2, gross, tested.mean];
    return [rate, 2 * rate, tested.n, ...means, tested.low, tested.high, ...annual, drawdown]
      .concat([even, low, high].map(bps));
  });
  return tableOfRows(rows, COST_COLUMNS);
}

/** The returns of a portfolio by session, and its trades. */
export function readTraded(
  action: string,
  portfolio: DataFrame,
): { readonly series: SessionSeries; readonly traded: Float64Array } {
  assertFrame(action, portfolio);
  const series = readOneSessionReturns(action, portfolio, { value: "return" });
  return { series, traded: tradedBySession(action, portfolio, series) };
}

/** Returns after costs of a rate, session by session. */
export function netOf(series: SessionSeries, traded: Float64Array, rate: number): Float64Array {
  return untilLoss(series.values.map((value, i) => value - rate * BASIS_POINT * traded[i]!));
}

// In the order of the series.
function tradedBySession(action: string, frame: DataFrame, series: SessionSeries): Float64Array {
  const amounts = readNumbers(action, frame.sort(dayName(frame)), "traded");
  for (const amount of amounts) {
    if (amount >= 0) continue;
    throw new RangeError(
      `Cannot ${action}: expected traded to be at least 0 in every session, got ` +
        `${Number.isNaN(amount) ? "null" : amount}; portfolioReturns() gives it`,
    );
  }
  return chargedTo(series.values, amounts);
}

/** No trade is lost: that of a session without a return counts with the next one that has one, or else with the last. */
export function chargedTo(returns: Float64Array, amounts: Float64Array): Float64Array {
  const charged = new Float64Array(amounts.length).fill(NaN);
  let waiting = 0;
  let last = -1;
  for (const [i, amount] of amounts.entries()) {
    waiting += amount;
    if (Number.isNaN(returns[i]!)) continue;
    charged[i] = waiting;
    [waiting, last] = [0, i];
  }
  if (last !== -1) charged[last]! += waiting;
  return charged;
}

/**
 * The break-even rate of a portfolio, with the interval of Fieller (1954): all rates at which zero is within the
 * interval of the mean net return.
 */
export function breakEven(
  gross: SessionSeries,
  traded: Float64Array,
): readonly [rate: number | null, low: number | null, high: number | null] {
  const of = (values: Float64Array) => testMean({ ...gross, values });
  const [earned, paid] = [of(gross.values), of(traded)];
  if (earned.mean === null || paid.mean === null || paid.mean === 0) return [null, null, null];
  const rate = earned.mean / paid.mean;
  if (earned.standardError === null) return [rate, null, null];
  const critical = (earned.high! - earned.mean) / earned.standardError;
  const variance = (error: number | null) => (error ?? 0) ** 2;
  const [a, c] = [variance(earned.standardError), variance(paid.standardError)];
  const both = of(gross.values.map((value, i) => value - rate * traded[i]!));
  // The variance of gross − rate · traded is a − 2 b rate + c rate².
  const b = rate === 0 ? 0 : (a + c * rate ** 2 - variance(both.standardError)) / (2 * rate);
  const square = paid.mean ** 2 - critical ** 2 * c;
  const half = earned.mean * paid.mean - critical ** 2 * b;
  const root = half ** 2 - square * (earned.mean ** 2 - critical ** 2 * a);
  if (!(square > 0) || !(root >= 0)) return [rate, null, null];
  return [rate, (half - Math.sqrt(root)) / square, (half + Math.sqrt(root)) / square];
}

/** Columns of the table, in order. */
export const NET_COLUMNS = "one_way_bps date wealth drawdown";

/**
 * Cumulative return after costs, as growth of 1, and its drawdown.
 *
 * One row per rate and date, by rate and date: `one_way_bps`, `date` (Date), `wealth` (a first row of the session of entry has 1,
 * where the column `from` tells it), `drawdown` (wealth over its highest value so far, 1 at the start included, less 1; at most 0). Both are null on
 * a date without a return; the next one goes on from the last.
 *
 * @param portfolio The result of {@link portfolioReturns}, or a frame with `date`, `return` (gross) and `traded`
 * @param options The rates
 * @returns A frame of one row per rate and date: wealth and drawdown
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a session occurs twice, or a rate or a traded amount is negative
 * @see Novy-Marx and Velikov (2016), A taxonomy of anomalies and their trading costs, Review of Financial Studies 29
 *
 * @example Usage
 * ```ts
 * import { cumulativeNetReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const portfolio = pl.DataFrame({
 *   date: ["2026-01-05", "2026-01-06"],
 *   return: [0.5, -0.5],
 *   traded: [0, 0],
 * });
 * const rows = cumulativeNetReturns(portfolio, { oneWayBps: [0] }).toRecords();
 * console.assert(rows.map(({ wealth }) => wealth).join() === "1.5,0.75");
 * console.assert(rows.map(({ drawdown }) => drawdown).join() === "0,-0.5");
 * ```
 */
export function cumulativeNetReturns(
  portfolio: DataFrame,
  options: {
    /** One-way costs, in basis points of the traded value. @default [0, 5, 10, 20, 50] */
    readonly oneWayBps?: number | readonly number[];
  } = {},
): TableOf<typeof NET_COLUMNS> {
  const action = "compound returns after costs";
  rules.checkOptions(action, options, { oneWayBps: RATES });
  const { series, traded } = readTraded(action, portfolio);
  const rows = ratesOf(options.oneWayBps).flatMap((rate) => {
    const net = netOf(series, traded, rate);
    let top = 1;
    const rest = Array.from(wealthOf(net), (wealth, i) => {
      top = Math.max(top, wealth);
      const known = Number.isNaN(net[i]!) ? [null, null] : [wealth, wealth / top - 1];
      return [rate, series.days[i]!, ...known];
    });
    return [...entryOf(series).map((date) => [rate, date, 1, 0]), ...rest];
  });
  return tableOfRows(rows, NET_COLUMNS);
}

/** Columns of the table, in order. */
export const CALENDAR_COLUMNS = "one_way_bps unit period:label return sessions reason";

/**
 * Compounded returns of calendar months and years, before or after costs.
 *
 * One row per rate, unit and period, in this order: `one_way_bps`, `unit` ("month" or "year"), `period` (`2026-01`, `2026`),
 * `return` (∏(1 + r) − 1 over the sessions of the period; null without a return), `sessions` (Int32, those with a return),
 * `reason` (of a null return: `total_loss` in a period that begins after one, else `too_few_windows`).
 *
 * @param portfolio The result of {@link portfolioReturns}, or a frame with `date` (of whose month the return is), `return` (gross) and `traded`
 * @param options The rates
 * @returns A frame of one row per rate and period: the compounded return
 * @throws {TypeError} If a column is missing, days are in a column `session`, or an option is unknown
 * @throws {RangeError} If a session occurs twice, or a rate or a traded amount is negative
 * @see Campbell, Lo and MacKinlay (1997), The econometrics of financial markets, section 1.4, on compounding
 *
 * @example Usage
 * ```ts
 * import { calendarReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const portfolio = pl.DataFrame({
 *   date: ["2026-01-29", "2026-01-30", "2026-02-02"],
 *   return: [0.5, -0.5, 0.1],
 *   traded: [0, 0, 0],
 * });
 * const returns = calendarReturns(portfolio, { oneWayBps: [0] }).getColumn("return").toArray();
 * console.assert(returns.map((value) => Number(value).toFixed(3)).join() === "-0.250,0.100,-0.175");
 * ```
 */
export function calendarReturns(
  portfolio: DataFrame,
  options: {
    /** One-way costs, in basis points of the traded value. @default [0, 5, 10, 20, 50] */
    readonly oneWayBps?: number | readonly number[];
  } = {},
): TableOf<typeof CALENDAR_COLUMNS> {
  const action = "compound returns by month and year";
  rules.checkOptions(action, options, { oneWayBps: RATES });
  const { series, traded } = readTraded(action, portfolio);
  assertDated(action, [series], ["portfolio"]);
  const rows = ratesOf(options.oneWayBps).flatMap((rate) => {
    const net = netOf(series, traded, rate);
    const loss = lossOf(net);
    return [["month", 7] as const, ["year", 4] as const].flatMap(([unit, length]) => {
      const dates = Array.from(series.days, (day) => fromEpochDay(day).slice(0, length));
      const places = Map.groupBy(dates.keys(), (i) => dates[i]!);
      return [...places].map(([period, own]) => {
        const values = Float64Array.from(own, (i) => net[i]!);
        const sessions = values.filter((value) => !Number.isNaN(value)).length;
        if (sessions > 0) return [rate, unit, period, wealthOf(values).at(-1)! - 1, sessions, null];
        const reason: Reason = loss !== -1 && own[0]! > loss ? "total_loss" : "too_few_windows";
        return [rate, unit, period, null, sessions, reason];
      });
    });
  });
  return tableOfRows(rows, CALENDAR_COLUMNS);
}
