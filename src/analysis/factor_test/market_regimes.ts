import type { DataFrame } from "nodejs-polars";
import { SESSION_COUNT } from "../cross_section/read_options.ts";
import { checkOptions, oneOf, type OptionRules } from "../../base/arguments/check_options.ts";
import { type DenseScores, type HasDense, returnsOf, toDense } from "../dense/dense_frames.ts";
import { deviationOf, meanOf, medianOf } from "../../base/statistics/moments.ts";
import { universeReturns } from "../portfolio/portfolio_returns.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const REGIME_COLUMNS = "session period:label";

const RULES: OptionRules<NonNullable<Parameters<typeof marketRegimes>[1]>> = {
  by: oneOf("volatility", "direction", "dispersion"),
  window: SESSION_COUNT,
};

/**
 * Market regimes of the sessions, for `stability()`: high and low volatility, rising and falling markets, or high and low dispersion,
 * over the last sessions whose returns were known at the close.
 *
 * One row per session: `session`, `period` (`low` and `high` of volatility and dispersion, split at the median over the sample; `up` and
 * `down` of direction, where 0 is up; null until the window is full; `stability()` leaves these out).
 * The median is taken over the whole sample, so regimes describe the past and are not a trading rule.
 *
 * @param data The result of {@link align} with returns of one session, or a frame of its rows
 * @param options The measure and its window
 * @returns A frame of one row per session with its regime, for the option `by` of `stability()`
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If there are no returns of one session, or the window is not a positive whole number
 * @see Schwert (1989), Why does stock market volatility change over time?, Journal of Finance 44; Cooper, Gutierrez and Hameed (2004),
 *   Market states and momentum, Journal of Finance 59
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { marketRegimes } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30"],
 *   ticker: Array(5).fill("A"),
 *   score: Array(5).fill(0.5),
 *   return_1: [0, 0, 0.1, 0, 0],
 * });
 * const periods = marketRegimes(data, { window: 2 }).getColumn("period").toArray();
 * if (periods.join() !== ",,low,high,high") throw new Error("what was known before");
 * ```
 */
export function marketRegimes(
  data: HasDense | DataFrame,
  options: {
    /** `volatility`: standard deviation of the mean return of all stocks. `direction`: its compounded return. `dispersion`: mean of the standard deviation of the returns of the stocks within a session. @default "volatility" */
    readonly by?: "volatility" | "direction" | "dispersion";
    /** Number of sessions in the window. @default 21 */
    readonly window?: number;
  } = {},
): TableOf<typeof REGIME_COLUMNS> {
  checkOptions("call marketRegimes()", options, RULES);
  const action = "find market regimes";
  const { by = "volatility", window = 21 } = options;
  const dense = toDense(action, data);
  const values = by === "dispersion" ? dispersionsOf(action, dense) : universeReturns(dense, 1);
  // The return of a session is known at the next one.
  const measured = Array.from(values, (_, session) => {
    const known = values.subarray(Math.max(0, session - window), session)
      .filter((value) => !Number.isNaN(value));
    return known.length < window ? null : MEASURES[by](known);
  });
  const nameOf = by === "direction"
    ? (value: number) => value >= 0 ? "up" : "down"
    : sideOf(measured.filter((value) => value !== null));
  const rows = measured.map((value, session) => {
    return [dense.days[dense.from + session]!, value === null ? null : nameOf(value)];
  });
  return tableOfRows(rows, REGIME_COLUMNS);
}

const MEASURES = {
  volatility: deviationOf,
  direction: (known: Float64Array) => known.reduce((wealth, x) => wealth * (1 + x), 1) - 1,
  dispersion: meanOf,
};

function sideOf(known: readonly number[]): (value: number) => string {
  const middle = known.length === 0 ? 0 : medianOf(known);
  return (value) => value >= middle && value > 0 ? "high" : "low";
}

/** Standard deviation of the returns of the scored stocks in each session; NaN with fewer than two. */
function dispersionsOf(action: string, dense: DenseScores): Float64Array {
  const returns = returnsOf(action, dense, 1);
  const width = dense.tickers.length;
  return Float64Array.from({ length: dense.to - dense.from }, (_, session) => {
    const start = (dense.from + session) * width;
    const own = returns.slice(start, start + width)
      .filter((value, t) => !Number.isNaN(value) && !Number.isNaN(dense.scores[start + t]!));
    return deviationOf(own) ?? NaN;
  });
}
