import type { DataFrame } from "nodejs-polars";
import { RATES, ratesOf } from "./read_rates.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { netOf, readTraded, type TradingCostsOptions } from "./trading_costs.ts";
import { entryOf } from "../wealth/cumulative_returns.ts";
import { wealthOf } from "../wealth/wealth.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const NET_COLUMNS = {
  one_way_bps: "number",
  date: "date",
  wealth: "number",
  drawdown: "number",
} as const;

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
  options: Omit<TradingCostsOptions, "periodsPerYear"> = {},
): TableFrame<typeof NET_COLUMNS> {
  const action = "compound returns after costs";
  checkOptions(action, options, { oneWayBps: RATES });
  const oneWayBps = ratesOf(options.oneWayBps);
  const { series, traded } = readTraded(action, portfolio);
  const rows = oneWayBps.flatMap((rate) => {
    const net = netOf(series, traded, rate);
    let top = 1;
    const rest = Array.from(wealthOf(net), (wealth, i) => {
      top = Math.max(top, wealth);
      const isMissing = Number.isNaN(net[i]!);
      return {
        oneWayBps: rate,
        date: series.days[i]!,
        wealth: isMissing ? null : wealth,
        drawdown: isMissing ? null : wealth / top - 1,
      };
    });
    const start = entryOf(series)
      .map((date) => ({ oneWayBps: rate, date, wealth: 1, drawdown: 0 }));
    return [...start, ...rest];
  });
  return tableOfRows(rows, NET_COLUMNS, {});
}
