import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../../arguments/check_options.ts";
import { testMean } from "../../inference/test_mean.ts";
import { frameOfRows } from "../../table/frame_of_rows.ts";
import { readNumbers } from "../../table/read_columns.ts";
import { readOneSessionReturns } from "./cumulative_returns.ts";
import type { SessionSeries } from "../session_series.ts";
import { fallsOf, wealthOf } from "./wealth.ts";

/** Options of {@link tradingCosts}. */
export interface TradingCostsOptions {
  /**
   * Costs of one way, in basis points of what is traded.
   *
   * @default [0, 5, 10, 20, 50]
   */
  readonly oneWayBps?: readonly number[];
}

const YEAR = 252;
const BASIS_POINT = 1e-4;

/**
 * What trading costs: one row a rate.
 *
 * Columns: `one_way_bps` and `round_trip_bps` (the rate), `sessions` (Int32), `traded` (mean Σ|Δw| a session, both sides,
 * so that a book turned over entirely trades twice its gross exposure), `turnover` (half of it), `gross` and `net` (mean
 * return a session), `net_low` and `net_high` (95 % of `net`; null where the sample is too short), `net_annual` (compounded
 * over 252 sessions), `net_drawdown`, and `break_even_one_way_bps` (mean gross return over mean traded, the rate at which
 * nothing is left; null if nothing is traded, negative if the gross return is). The cost of a session is the rate times
 * what was traded in it.
 *
 * @param portfolio A frame of one row a session: `session`, `return` (gross, of that session) and `traded`
 * @param options The rates
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If a session stands twice, or a rate or a traded amount is negative
 *
 * @example Usage
 * ```ts
 * import { tradingCosts } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const portfolio = pl.DataFrame({
 *   session: ["2026-01-05", "2026-01-06"],
 *   return: [0.002, 0.002],
 *   traded: [1, 1],
 * });
 * const [row] = tradingCosts(portfolio, { oneWayBps: [5] }).toRecords();
 * console.assert(Math.abs(Number(row?.break_even_one_way_bps) - 20) < 1e-9);
 * ```
 */
export function tradingCosts(portfolio: DataFrame, options: TradingCostsOptions = {}): DataFrame {
  const action = "count the costs of trading";
  assertKnownOptions(action, options, ["oneWayBps"]);
  const { oneWayBps = [0, 5, 10, 20, 50] } = options;
  assertRates(action, oneWayBps);
  const { series, traded } = readTraded(action, portfolio);
  const rows = oneWayBps.map((rate) => atRate(series, traded, rate));
  return frameOfRows(rows, [
    { name: "one_way_bps", type: "number", read: (row) => row.rate },
    { name: "round_trip_bps", type: "number", read: (row) => 2 * row.rate },
    { name: "sessions", type: "count", read: (row) => row.net.n },
    { name: "traded", type: "number", read: (row) => row.traded },
    {
      name: "turnover",
      type: "number",
      read: (row) => row.traded === null ? null : row.traded / 2,
    },
    { name: "gross", type: "number", read: (row) => row.gross },
    { name: "net", type: "number", read: (row) => row.net.mean },
    { name: "net_low", type: "number", read: (row) => row.net.low },
    { name: "net_high", type: "number", read: (row) => row.net.high },
    { name: "net_annual", type: "number", read: (row) => row.annual },
    { name: "net_drawdown", type: "number", read: (row) => row.drawdown },
    { name: "break_even_one_way_bps", type: "number", read: (row) => row.breakEven },
  ]);
}

/** Refuses rates that are no cost. */
export function assertRates(action: string, oneWayBps: readonly number[]): void {
  for (const rate of oneWayBps) {
    if (Number.isFinite(rate) && rate >= 0) continue;
    throw new RangeError(
      `Cannot ${action}: rates of at least 0 basis points are required, got ${rate}`,
    );
  }
}

/** The returns of a portfolio by session, and what was traded in each. */
export function readTraded(
  action: string,
  portfolio: DataFrame,
): { readonly series: SessionSeries; readonly traded: Float64Array } {
  const series = readOneSessionReturns(action, portfolio, { value: "return" });
  return { series, traded: tradedBySession(action, portfolio, series) };
}

/** Returns after costs of a rate, session by session. */
export function netOf(series: SessionSeries, traded: Float64Array, rate: number): Float64Array {
  return series.values.map((value, i) => value - rate * BASIS_POINT * traded[i]!);
}

// In the order of the series; a session without a return is not counted, whatever is traded in it.
function tradedBySession(action: string, frame: DataFrame, series: SessionSeries): Float64Array {
  const amounts = readNumbers(action, frame.sort("session"), "traded");
  for (const amount of amounts) {
    if (amount >= 0) continue;
    throw new RangeError(
      `Cannot ${action}: traded is at least 0 in every session, got ` +
        `${Number.isNaN(amount) ? "null" : amount}`,
    );
  }
  return amounts.map((amount, i) => Number.isNaN(series.values[i]!) ? NaN : amount);
}

function atRate(series: SessionSeries, traded: Float64Array, rate: number) {
  const net = netOf(series, traded, rate);
  const tested = testMean({ ...series, values: net });
  const gross = testMean(series).mean;
  const amount = testMean({ ...series, values: traded }).mean;
  const wealth = wealthOf(net);
  const final = wealth.at(-1) ?? 1;
  return {
    rate,
    traded: amount,
    gross,
    net: tested,
    annual: tested.n === 0 || final <= 0 ? null : final ** (YEAR / tested.n) - 1,
    drawdown: fallsOf(wealth).reduce((least, { depth }) => Math.min(least, depth), 0),
    breakEven: gross === null || amount === null || amount === 0
      ? null
      : gross / amount / BASIS_POINT,
  };
}
