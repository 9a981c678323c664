import type { DataFrame } from "nodejs-polars";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { type HasDense, toDense } from "../../dense/from_data_frame.ts";
import { meanOf } from "../../../base/statistics/moments.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { universeReturns } from "../../portfolio/universe_returns.ts";
import { ANNUAL_RULES, type AnnualOptions, periodsOfYear } from "../periods_of_year.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";

/** Columns of the table, in order. */
export const ANNUAL_COLUMNS = {
  horizon: "count",
  annual_alpha: "number",
  beta: "number",
  n: "count",
} as const;

/**
 * Alpha and beta as alphalens computes them, for comparison only: without standard errors, and annualised as if the overlapping
 * returns of a horizon could be compounded. `alphaBeta()` does not have this bias.
 *
 * One row per horizon: `horizon`, `annual_alpha` ((1 + alpha)^(252 / horizon) − 1), `beta`, `n`; least squares of the returns on the
 * equal-weighted mean of all stocks with score and return.
 *
 * @param returns The result of {@link factorReturns}
 * @param data The result of {@link align} that they were made from
 * @param options Periods of a year, where it is not 252
 * @returns A frame of one row per horizon: annual alpha and beta
 * @see alphalens-reloaded 0.5.1, `factor_alpha_beta` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { annualAlphaBeta, factorReturns, factorWeights } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0, 1, 0, 1],
 *   return_1: [0, 0.02, 0, 0.04],
 * });
 * const returns = factorReturns(data, factorWeights(data));
 * const [beta] = annualAlphaBeta(returns, data).getColumn("beta").toArray();
 * if (Math.abs(Number(beta) - 1) > 1e-12) throw new Error("half of B, as the universe");
 * ```
 */
export function annualAlphaBeta(
  returns: DataFrame,
  data: HasDense | DataFrame,
  options: AnnualOptions = {},
): TableFrame<typeof ANNUAL_COLUMNS> {
  const action = "compute alpha and beta";
  checkOptions(action, options, ANNUAL_RULES);
  const dense = toDense(action, data);
  const year = periodsOfYear(
    action,
    { days: dense.days, places: Int32Array.from(dense.days.keys()) },
    options.periodsPerYear,
  );
  const days = readDayColumn(action, returns, "session");
  const horizons = readNumbers(action, returns, "horizon");
  const values = readNumbers(action, returns, "return");
  const rows = dense.periods.map((horizon) => {
    const universe = universeReturns(dense, horizon);
    const market = new Map(
      [...universe].map((value, session) => [dense.days[dense.from + session]!, value]),
    );
    const pairs = [...values.keys()].filter((row) => horizons[row] === horizon)
      .map((row) => [market.get(days[row]!) ?? NaN, values[row]!] as const)
      .filter(([x, y]) => !Number.isNaN(x) && !Number.isNaN(y));
    return { horizon, n: pairs.length, ...fit(pairs) };
  });
  const finite = (value: number) => Number.isFinite(value) ? value : null;
  return tableOfRows(rows, ANNUAL_COLUMNS, {
    annual_alpha: ({ alpha, horizon }) => finite((1 + alpha) ** (year / horizon) - 1),
    beta: ({ beta }) => finite(beta),
  });
}

function fit(pairs: readonly (readonly [number, number])[]): { alpha: number; beta: number } {
  if (pairs.length === 0) return { alpha: NaN, beta: NaN };
  const [meanX, meanY] = [meanOf(pairs.map(([x]) => x)), meanOf(pairs.map(([, y]) => y))];
  let [xx, xy] = [0, 0];
  for (const [x, y] of pairs) {
    xx += (x - meanX) ** 2;
    xy += (x - meanX) * (y - meanY);
  }
  const beta = xy / xx;
  return { alpha: meanY - beta * meanX, beta };
}
