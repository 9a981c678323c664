import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../../arguments/check_options.ts";
import { frameOfRows } from "../../table/frame_of_rows.ts";
import { assertRates, netOf, readTraded } from "./trading_costs.ts";
import type { TradingCostsOptions } from "./trading_costs.ts";
import { wealthOf } from "./wealth.ts";

/**
 * What one unit of wealth became after costs, and how far it stood below its peak.
 *
 * One row a rate and session, by rate and session: `one_way_bps`, `session` (Date), `wealth` (1 stands before the first
 * return), `drawdown` (wealth over its highest value so far, 1 at the start included, less 1; at most 0). Both are null in
 * a session without a return; the next one goes on from the last.
 *
 * @param portfolio A frame of one row a session: `session`, `return` (gross, of that session) and `traded`
 * @param options The rates
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If a session stands twice, or a rate or a traded amount is negative
 *
 * @example Usage
 * ```ts
 * import { netWealth } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const portfolio = pl.DataFrame({
 *   session: ["2026-01-05", "2026-01-06"],
 *   return: [0.5, -0.5],
 *   traded: [0, 0],
 * });
 * const rows = netWealth(portfolio, { oneWayBps: [0] }).toRecords();
 * console.assert(rows.map(({ wealth }) => wealth).join() === "1.5,0.75");
 * console.assert(rows.map(({ drawdown }) => drawdown).join() === "0,-0.5");
 * ```
 */
export function netWealth(portfolio: DataFrame, options: TradingCostsOptions = {}): DataFrame {
  const action = "compound returns after costs";
  assertKnownOptions(action, options, ["oneWayBps"]);
  const { oneWayBps = [0, 5, 10, 20, 50] } = options;
  assertRates(action, oneWayBps);
  const { series, traded } = readTraded(action, portfolio);
  const rows = oneWayBps.flatMap((rate) => {
    const net = netOf(series, traded, rate);
    let top = 1;
    return Array.from(wealthOf(net), (wealth, i) => {
      top = Math.max(top, wealth);
      const isMissing = Number.isNaN(net[i]!);
      return {
        rate,
        day: series.days[i]!,
        wealth: isMissing ? null : wealth,
        drawdown: isMissing ? null : wealth / top - 1,
      };
    });
  });
  return frameOfRows(rows, [
    { name: "one_way_bps", type: "number", read: (row) => row.rate },
    { name: "session", type: "day", read: (row) => row.day },
    { name: "wealth", type: "number", read: (row) => row.wealth },
    { name: "drawdown", type: "number", read: (row) => row.drawdown },
  ]);
}
