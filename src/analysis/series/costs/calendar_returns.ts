import type { DataFrame } from "nodejs-polars";
import { RATES, ratesOf } from "./read_rates.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { netOf, readTraded, type TradingCostsOptions } from "./trading_costs.ts";
import type { Reason } from "../../reason.ts";
import { lossOf, wealthOf } from "../wealth/wealth.ts";
import { assertDated } from "../read_dated.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const CALENDAR_COLUMNS = {
  one_way_bps: "number",
  unit: "text",
  period: "text",
  return: "number",
  sessions: "count",
  reason: "text",
} as const;

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
  options: Omit<TradingCostsOptions, "periodsPerYear"> = {},
): TableFrame<typeof CALENDAR_COLUMNS> {
  const action = "compound returns by month and year";
  checkOptions(action, options, { oneWayBps: RATES });
  const rates = ratesOf(options.oneWayBps);
  const { series, traded } = readTraded(action, portfolio);
  assertDated(action, [series], ["portfolio"]);
  const rows = rates.flatMap((rate) => {
    const net = netOf(series, traded, rate);
    const loss = lossOf(net);
    return [["month", 7] as const, ["year", 4] as const].flatMap(([unit, length]) => {
      const dates = Array.from(series.days, (day) => fromEpochDay(day).slice(0, length));
      const places = Map.groupBy(dates.keys(), (i) => dates[i]!);
      return [...places].map(([period, own]) => {
        const values = Float64Array.from(own, (i) => net[i]!);
        const sessions = values.filter((value) => !Number.isNaN(value)).length;
        const value = sessions === 0 ? null : wealthOf(values).at(-1)! - 1;
        const isAfter = loss !== -1 && own[0]! > loss;
        const reason: Reason = isAfter ? "total_loss" : "too_few_windows";
        return {
          ...{ oneWayBps: rate, unit, period, return: value, sessions },
          reason: value === null ? reason : null,
        };
      });
    });
  });
  return tableOfRows(rows, CALENDAR_COLUMNS, {});
}
