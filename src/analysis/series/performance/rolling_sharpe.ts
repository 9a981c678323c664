import { checkOptions, whole } from "../../../base/arguments/check_options.ts";
import { isConstant, UPPER_END } from "../../../base/statistics/moments.ts";
import { studentQuantile } from "../../inference/distribution/distributions.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { SERIES_RULES, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import { readOneSessionReturns } from "../wealth/cumulative_returns.ts";
import { lossOf } from "../wealth/wealth.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import { ratioStatistics } from "./sharpe_ratio.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const SHARPE_COLUMNS = {
  session: "date",
  n: "count",
  sharpe: "number",
  low: "number",
  high: "number",
  reason: "text",
} as const;

/** Options of {@link rollingSharpe}. */
export interface RollingSharpeOptions extends SeriesOptions, AnnualOptions {
  /**
   * Number of sessions of a ratio.
   *
   * @default 252
   */
  readonly window?: number;
}

/**
 * The annualised Sharpe ratio of the last sessions, session by session, with its interval.
 *
 * One row per session, oldest first: `session` (Date, the last one of the window), `n` (returns in the window), `sharpe` (mean over
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
 *
 * @example Usage
 * ```ts
 * import { rollingSharpe } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const returns = pl.DataFrame({
 *   session: ["2026-01-05", "2026-01-06", "2026-01-07"],
 *   return: [0.01, 0.03, 0.02],
 * });
 * const ratios = rollingSharpe(returns, { window: 3 }).getColumn("sharpe").toArray();
 * console.assert(ratios[1] === null && Math.abs(Number(ratios[2]) - 2 * Math.sqrt(252)) < 1e-9);
 * ```
 */
export function rollingSharpe(
  returns: SeriesInput,
  options: RollingSharpeOptions = {},
): TableFrame<typeof SHARPE_COLUMNS> {
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
    const critical = reason === null ? studentQuantile(UPPER_END, n - 1) : 0;
    const known = reason === null ? values : null;
    const { sharpe, ...of } = ratioStatistics(known, { year, variants: 1, spread: 0, critical });
    return { session: day, n, sharpe, low: of.sharpeLow, high: of.sharpeHigh, reason };
  });
  return tableOfRows(rows, SHARPE_COLUMNS, {});
}
