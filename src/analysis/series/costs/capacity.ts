import type { DataFrame } from "nodejs-polars";
import {
  checkOptions,
  FINITE,
  FINITE_AMOUNT,
  type Rule,
  ruleOf,
} from "../../../base/arguments/check_options.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import { meanOf } from "../../../base/statistics/moments.ts";
import type { SessionSeries } from "../../inference/session_series.ts";
import { testMean } from "../../inference/test_mean.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { dayName } from "../../inference/table_series.ts";
import { readNumbers } from "../../table/read_columns.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import { RATE_RULE } from "./read_rates.ts";
import { BASIS_POINT, breakEven, chargedTo, readTraded } from "./trading_costs.ts";
import { annualOf } from "../wealth/wealth.ts";

/** Columns of the table, in order. */
export const CAPACITY_COLUMNS = {
  capital: "number",
  sessions: "count",
  missing: "count",
  within_limit: "number",
  gross: "number",
  spread_cost: "number",
  impact_cost: "number",
  net: "number",
  net_low: "number",
  net_high: "number",
  net_annual: "number",
  profit_annual: "number",
  break_even_capital: "number",
  break_even_low: "number",
  break_even_high: "number",
} as const;

const ACTION = "measure capacity";
const CAPITAL: Rule<number | readonly number[]> = ruleOf(
  "an amount above 0, or several",
  (value) => {
    const list = [value].flat();
    return list.length > 0 && list.every((one) => FINITE.accepts(one) && Number(one) > 0);
  },
  { isKind: () => true, example: "[1e7, 1e8]" },
);

/** Returns of a portfolio before impact, and its trades. */
interface Trading {
  /** Gross returns; NaN in sessions whose impact is not known. */
  readonly gross: SessionSeries;
  /** Cost of the spread by session, as a share of the capital. */
  readonly spread: Float64Array;
  /** Impact by session; times √capital a share of the capital. */
  readonly impact: Float64Array;
  /** Capital limits of the sessions with trades. */
  readonly limits: readonly number[];
  readonly year: number;
}

/**
 * Returns of a portfolio by capital, net of half the spread and of market impact by the square-root law, and the capital
 * at which the net return is zero: one row per capital.
 *
 * Columns: `capital`, `sessions` (Int32), `missing` (Int32, sessions left out because none of their trades has a
 * volume), `within_limit` (share of the sessions with trades whose `capital_limit` is at least the capital), `gross`
 * (mean return a session), `spread_cost` and `impact_cost` (means a session, as shares of the capital; impact is
 * `coefficient` × σ √(C|Δw|/ADV) of a trade's value), `net` with `net_low` and `net_high` (95%; null where the sample
 * is too short), `net_annual` (compounded over 252 sessions, or `periodsPerYear`), `profit_annual` (capital × mean net
 * return × 252, in currency), and `break_even_capital` (the capital at which the mean net return is 0: with impact
 * rising as √C, the square of mean return less spread over mean impact; 0 if the spread alone exceeds the return, null
 * if nothing is traded) with `break_even_low` and `break_even_high` (95%, Fieller 1954; null where the sample is too
 * short or impact too small). The profit in currency is largest at 4/9 of the break-even capital. Costs of a session
 * without a return are charged to the next one with a return, or to the last.
 *
 * @param trades The result of {@link tradeLiquidity}, or a frame with its `date`, `return`, `traded`, `impact` and `capital_limit`
 * @param options Capital, half spread and coefficient
 * @returns A frame of one row per capital: costs, net return, and the break-even
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If a session occurs twice, or a capital, cost, traded amount or impact is out of range
 * @see Almgren, Thum, Hauptmann and Li (2005), Direct estimation of equity market impact, Risk 18; Tóth et al. (2011), Anomalous
 * price impact and the critical nature of liquidity in financial markets, Physical Review X 1
 *
 * @example Usage
 * ```ts
 * import { capacity } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const trades = pl.DataFrame({
 *   date: ["2026-01-05", "2026-01-06"],
 *   return: [0.002, 0.002],
 *   traded: [1, 1],
 *   impact: [1e-6, 1e-6],
 *   capital_limit: [5e6, 5e6],
 * });
 * const [row] = capacity(trades, { capital: 1e6, halfSpreadBps: 5 }).toRecords();
 * console.assert(Math.abs(Number(row?.net) - 0.0005) < 1e-12);
 * console.assert(Math.abs(Number(row?.break_even_capital) - 2_250_000) < 1e-3);
 * ```
 */
export function capacity(
  trades: DataFrame,
  options: AnnualOptions & {
    /** Capital, in the currency of the volumes. @default [1e6, 1e7, 1e8, 1e9] */
    readonly capital?: number | readonly number[];
    /** Half of the bid-ask spread, in basis points of the traded value. @default 0 */
    readonly halfSpreadBps?: number;
    /** Coefficient of the square-root law; estimates lie around 1. @default 1 */
    readonly coefficient?: number;
  } = {},
): TableFrame<typeof CAPACITY_COLUMNS> {
  checkOptions(ACTION, options, {
    capital: CAPITAL,
    halfSpreadBps: RATE_RULE,
    coefficient: FINITE_AMOUNT,
    ...ANNUAL_RULES,
  });
  const capitals = [options.capital ?? [1e6, 1e7, 1e8, 1e9]].flat();
  const trading = readTrading(trades, options);
  const even = breakEvenCapital(trading);
  const { values } = trading.gross;
  const missing = values.length - values.filter(Number.isFinite).length;
  const rows = capitals.map((capital) => ({ ...atCapital(trading, capital), ...even, missing }));
  return tableOfRows(rows, CAPACITY_COLUMNS, {});
}

function readTrading(
  trades: DataFrame,
  { halfSpreadBps = 0, coefficient = 1, periodsPerYear }: NonNullable<
    Parameters<typeof capacity>[1]
  >,
): Trading {
  const { series, traded } = readTraded(ACTION, trades);
  const sorted = trades.sort(dayName(trades));
  const impacts = readNumbers(ACTION, sorted, "impact");
  const known = series.values.map((value, i) => Number.isNaN(impacts[i]!) ? NaN : value);
  for (const impact of impacts) {
    if (!(impact < 0)) continue;
    throw new RangeError(
      `Cannot ${ACTION}: expected impact to be at least 0 in every session, got ${impact}; tradeLiquidity() gives it`,
    );
  }
  const gross = { ...series, values: known };
  return {
    gross,
    spread: traded.map((amount) => halfSpreadBps * BASIS_POINT * amount),
    impact: chargedTo(known, impacts.map((impact) => coefficient * (impact || 0))),
    limits: [...readNumbers(ACTION, sorted, "capital_limit")].filter((limit) => limit === limit),
    year: periodsOfYear(ACTION, series, periodsPerYear),
  };
}

function atCapital({ gross, spread, impact, limits, year }: Trading, capital: number) {
  const root = Math.sqrt(capital);
  const net = gross.values.map((value, i) => value - spread[i]! - root * impact[i]!);
  const { n, mean, low, high } = testMean({ ...gross, values: net });
  const meanOfKnown = (values: Float64Array) => {
    const known = values.filter((_, i) => !Number.isNaN(gross.values[i]!));
    return known.length === 0 ? null : meanOf(known);
  };
  return {
    capital,
    withinLimit: limits.length === 0
      ? null
      : limits.filter((limit) => limit >= capital).length / limits.length,
    gross: meanOfKnown(gross.values),
    spreadCost: meanOfKnown(spread),
    impactCost: meanOfKnown(impact.map((value) => root * value)),
    ...{ sessions: n, net: mean, netLow: low, netHigh: high, netAnnual: annualOf(net, year) },
    profitAnnual: mean === null ? null : capital * mean * year,
  };
}

/** Impact rises with the root of the capital, so that the break-even is a rate of it, with the interval of one. */
function breakEvenCapital({ gross, spread, impact }: Trading) {
  const left = { ...gross, values: gross.values.map((value, i) => value - spread[i]!) };
  const { rate, low, high } = breakEven(left, impact);
  const squared = (root: number | null) => root === null ? null : Math.max(0, root) ** 2;
  return {
    breakEvenCapital: squared(rate),
    breakEvenLow: squared(low),
    breakEvenHigh: squared(high),
  };
}
