import pl, { type DataFrame } from "nodejs-polars";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { dayColumn, numberColumn } from "../table/make_columns.ts";
import { readNumbers } from "../table/read_columns.ts";
import { portfolioReturns } from "./factor_returns.ts";
import { universeReturns } from "./universe_returns.ts";
import { readWeights, type Weights } from "./weights.ts";

/** A portfolio in the form that performance tools take, one row a session. */
export interface PortfolioExport {
  /** `date` (Date, the session at whose close the return was earned), `return` (Float64; null where there is none). */
  readonly returns: DataFrame;
  /**
   * `date` (Date, the session from whose close on it is held), a column a ticker (Float64, its weight; 0 if it is not held),
   * `cash` (1 less the sum of the weights).
   */
  readonly positions: DataFrame;
  /** `date` as in the returns, `benchmark`: the equal-weighted mean of all names with score and return. */
  readonly benchmark: DataFrame;
}

const ACTION = "export a portfolio";

/**
 * A portfolio in the form that performance tools such as pyfolio, quantstats and empyrical take.
 *
 * The rows are the sessions of the data; no calendar days are put in, and a missing return stays null. A return bears the
 * date at whose close it was earned, as those tools expect, while `portfolioReturns` names the session in which the
 * position was taken: it is one session later here. Weights that add up to 0 leave all of the capital in cash.
 *
 * @param data The result of {@link align}, with returns of one session, or a frame of its rows
 * @param positions The result of {@link positions}, or of {@link factorWeights}
 * @throws {RangeError} If there are no returns of one session, or a ticker is named `date` or `cash`
 *
 * @example Usage
 * ```ts
 * import { exportPortfolio, factorWeights } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.25, 0.75, 0.25, 0.75],
 *   return_1: [0.02, 0.04, null, null],
 * });
 * const { returns, positions } = exportPortfolio(data, factorWeights(data));
 * console.assert(returns.getColumn("return").toArray().join() === "0.01");
 * console.assert(positions.columns.join() === "date,A,B,cash");
 * ```
 */
export function exportPortfolio(
  data: HasDense | DataFrame,
  positions: Weights | DataFrame,
): PortfolioExport {
  const dense = toDense(ACTION, data);
  const weights = readWeights(ACTION, positions, dense);
  const taken = readNumbers(ACTION, portfolioReturns({ dense }, weights), "return");
  const [from, to] = weights.span;
  const universe = universeReturns(dense, 1);
  // What is taken in the last session of the prices earns nothing that could be dated.
  const length = Math.max(0, Math.min(to, dense.days.length - 1) - from);
  // The universe has the sessions of the scores, the positions perhaps fewer.
  const benchmark = Float64Array.from({ length }, (_, i) => universe[from + i - dense.from] ?? NaN);
  const dates = dayColumn("date", dense.days.slice(from + 1, from + 1 + length));
  return {
    returns: pl.DataFrame([dates, numberColumn("return", taken.slice(0, length))]),
    positions: toWide(weights),
    benchmark: pl.DataFrame([dates, numberColumn("benchmark", benchmark)]),
  };
}

function toWide({ values, span: [from, to], days, tickers }: Weights): DataFrame {
  const reserved = tickers.find((ticker) => ticker === "date" || ticker === "cash");
  if (reserved !== undefined) {
    throw new RangeError(
      `Cannot ${ACTION}: tickers other than date and cash are required, got ${reserved}; rename it`,
    );
  }
  const width = tickers.length;
  const cash = new Float64Array(to - from).fill(1);
  const columns = tickers.map((ticker, t) => {
    const weights = Float64Array.from({ length: to - from }, (_, i) => {
      const weight = values[(from + i) * width + t]!;
      return Number.isNaN(weight) ? 0 : weight;
    });
    for (const [i, weight] of weights.entries()) cash[i]! -= weight;
    return pl.Series(ticker, weights, pl.Float64);
  });
  return pl.DataFrame([
    dayColumn("date", days.slice(from, to)),
    ...columns,
    pl.Series("cash", cash, pl.Float64),
  ]);
}
