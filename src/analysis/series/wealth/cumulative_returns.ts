import { COMPAT } from "../../cross_section/read_options.ts";
import { sayCompat } from "../../say_compat.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import {
  readOneSeries,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "../read_series.ts";
import type { SessionSeries } from "../../inference/session_series.ts";
import { sayPercent } from "./say_percent.ts";
import { untilLoss, wealthOf } from "./wealth.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
const RETURN_COLUMNS = {
  session: "date",
  return: "number",
  wealth: "number",
  missing: "count",
} as const;

/**
 * Cumulative return, as growth of 1: one row per session, ascending.
 *
 * Columns: `session` (Date), `return` (Float64, null where there is none), `wealth` (Float64, the product of 1 + return
 * so far, from 1 before the first return: the first row has 1 plus that return), `missing` (Int32, returns that were null
 * so far). A null return changes nothing: its wealth is null, and the next one goes on from the last. After a return of
 * −1 or less, wealth stays at 0.
 *
 * Give it returns of one session each. Compounding returns of overlapping windows counts each session several times,
 * and is refused.
 *
 * @param returns One series of returns by session
 * @param options Column of the returns
 * @returns A frame of one row per session: the return and the wealth
 * @throws {TypeError} If a column is missing, or has information coefficients, weights or other values that are no returns
 * @throws {RangeError} If there are several series, a session occurs twice, or a window spans several sessions
 * @see Campbell, Lo and MacKinlay (1997), The econometrics of financial markets, section 1.4, on compounding
 *
 * @example Usage
 * ```ts
 * import { cumulativeReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const returns = pl.DataFrame({
 *   session: ["2026-01-05", "2026-01-06", "2026-01-07"],
 *   return: [0.1, null, -0.5],
 * });
 * const wealth = cumulativeReturns(returns).getColumn("wealth").toArray();
 * console.assert(wealth[1] === null && Math.abs(Number(wealth[2]) - 0.55) < 1e-12);
 * ```
 */
export function cumulativeReturns(
  returns: SeriesInput,
  options: SeriesOptions & { readonly compat?: "alphalens" } = {},
): TableFrame<typeof RETURN_COLUMNS> {
  const action = "compound returns";
  checkOptions(action, options, { ...SERIES_RULES, compat: COMPAT });
  const { compat, ...columns } = options;
  sayCompat(compat, "cumulativeReturns(): a null return counts as 0, and its wealth is shown");
  const series = readReturns(action, returns, columns);
  const wealth = wealthOf(series.values);
  let missing = 0;
  const rows = Array.from(series.values, (value, i) => {
    const isMissing = Number.isNaN(value);
    missing += isMissing ? 1 : 0;
    return {
      session: series.days[i]!,
      return: isMissing ? null : value,
      wealth: isMissing && compat === undefined ? null : wealth[i]!,
      missing,
    };
  });
  return tableOfRows(rows, RETURN_COLUMNS, {});
}

/** Values of columns that are no returns, so that nothing can be earned from them. */
const NO_RETURNS: Readonly<Record<string, string>> = {
  ic: "information coefficients",
  slope: "slopes of regressions",
  weight: "weights",
  score: "scores",
  traded: "trades",
  turnover: "turnover",
  autocorrelation: "rank autocorrelations",
  missing_weight: "weights",
  unpriced_weight: "weights",
  gross_weight: "weights",
  net_weight: "weights",
  wealth: "growth of 1",
  all_names: "growth of 1",
  drawdown: "drawdowns",
  close: "prices",
  open: "prices",
};

/** One series of returns from one close to the next, as far as there is capital: after a total loss all are missing. */
export function readOneSessionReturns(
  action: string,
  input: SeriesInput,
  options: SeriesOptions,
): SessionSeries {
  const series = readReturns(action, input, options);
  return { ...series, values: untilLoss(series.values) };
}

/** The same with what is given after a total loss; other statistics and overlapping windows are refused, and percent are noticed. */
function readReturns(action: string, input: SeriesInput, options: SeriesOptions): SessionSeries {
  const series = readOneSeries(action, input, options);
  if (Object.hasOwn(NO_RETURNS, series.name)) {
    throw new TypeError(
      `Cannot ${action}: expected returns, got ${NO_RETURNS[series.name]} (column ` +
        `${series.name}), which nobody earns; portfolioReturns() gives returns`,
    );
  }
  if (series.horizon === 1) {
    sayPercent(series);
    return series;
  }
  throw new RangeError(
    `Cannot ${action}: expected returns of one session, got returns over ${series.horizon}; hold positions for that horizon, ` +
      "and use their session returns",
  );
}
