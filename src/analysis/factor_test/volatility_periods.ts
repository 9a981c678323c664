import type { DataFrame } from "nodejs-polars";
import { ANY_VALUE, checkOptions, type OptionRules } from "../../arguments/check_options.ts";
import { readPeriod } from "../cross_section/read_options.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { deviationOf, medianOf } from "../../statistics/moments.ts";
import { universeReturns } from "../portfolio/universe_returns.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableFrame } from "../../frame/typed/table_frame.ts";

/** Columns of the table, in order. */
const VOLATILITY_COLUMNS = {
  session: "date",
  period: "text",
} as const;

/** Number of sessions over which volatility is measured. */
export interface VolatilityPeriodsOptions {
  /** Number of returns. @default 21 */
  readonly window?: number;
}

const RULES: OptionRules<VolatilityPeriodsOptions> = { window: ANY_VALUE };

/**
 * Sessions of low and of high volatility, for `stability()`: the deviation of the mean return of all stocks over the last
 * sessions whose returns were known, split at its median over the sample.
 *
 * One row a session: `session`, `period` (`low`, `high`; null until there are as many returns as the window has, which
 * `stability()` compares as `none`).
 *
 * @param data The result of {@link align} with returns of one session, or a frame of its rows
 * @returns A frame of one row a session: `low` or `high`, for `stability()`
 * @throws {RangeError} If there are no returns of one session, or the window is no positive whole number
 * @see Schwert (1989), Why does stock market volatility change over time?, Journal of Finance 44
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { volatilityPeriods } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30"],
 *   ticker: Array(5).fill("A"),
 *   score: Array(5).fill(0.5),
 *   return_1: [0, 0, 0.1, 0, 0],
 * });
 * const periods = volatilityPeriods(data, { window: 2 }).getColumn("period").toArray();
 * if (periods.join() !== ",,low,high,high") throw new Error("what was known before");
 * ```
 */
export function volatilityPeriods(
  data: HasDense | DataFrame,
  options: VolatilityPeriodsOptions = {},
): TableFrame<typeof VOLATILITY_COLUMNS> {
  checkOptions("call volatilityPeriods()", options, RULES);
  const action = "find periods of volatility";
  const window = readPeriod(action, options.window ?? 21);
  const dense = toDense(action, data);
  const market = universeReturns(dense, 1);
  // The return of a session is known at the next one.
  const deviations = Array.from(market, (_, session) => {
    const known = market.subarray(Math.max(0, session - window), session)
      .filter((value) => !Number.isNaN(value));
    return known.length < window ? null : deviationOf(known);
  });
  const measured = deviations.filter((value) => value !== null);
  const middle = measured.length === 0 ? 0 : medianOf(measured);
  const rows = deviations.map((value, session) => ({
    day: dense.days[dense.from + session]!,
    period: value === null ? null : value >= middle && value > 0 ? "high" : "low",
  }));
  return tableOfRows(rows, VOLATILITY_COLUMNS, {
    session: ({ day }) => day,
    period: ({ period }) => period,
  });
}
