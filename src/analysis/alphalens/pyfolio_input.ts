import pl, { type DataFrame } from "nodejs-polars";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { BENCHMARK_COLUMNS, RETURN_COLUMNS } from "../portfolio/export_portfolio.ts";
import { factorReturns } from "../portfolio/factor_returns.ts";
import { factorWeights, type FactorWeightsOptions } from "../portfolio/factor_weights.ts";
import { positions } from "../portfolio/positions.ts";
import { universeReturns } from "../portfolio/universe_returns.ts";
import type { Weights } from "../portfolio/weights.ts";
import { dayColumn, numberColumn } from "../../frames/frame/typed/make_columns.ts";
import { readNumbers } from "../table/read_columns.ts";

/** Input of pyfolio, one row per calendar day. */
export interface PyfolioInput {
  /** `date`, `return`: 0 on the first day and where nothing was traded. */
  readonly returns: TableFrame<typeof RETURN_COLUMNS>;
  /** `date`, one column per ticker (share of the gross exposure), `cash` (1 minus their sum). */
  readonly positions: DataFrame;
  /** `date`, `benchmark`: the equal-weighted mean of all stocks with a return and a score other than 0, as alphalens has it. */
  readonly benchmark: TableFrame<typeof BENCHMARK_COLUMNS>;
}

/**
 * The input of pyfolio as alphalens makes it, for comparison only: calendar days without a session are added, with returns of 0 and everything
 * in cash. `exportPortfolio()` keeps to the sessions of the data.
 *
 * @param data The result of {@link align} with returns of one session
 * @param options Rules of the weights
 * @returns Returns, positions and benchmark, by calendar day
 * @see alphalens-reloaded 0.5.1, `create_pyfolio_input` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { pyfolioInput } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0, 1, 0, 1],
 *   return_1: [0, 0.02, 0, 0.04],
 * });
 * const { returns } = pyfolioInput(data);
 * const [first, second] = returns.getColumn("return").toArray();
 * if (first !== 0 || Math.abs(Number(second) - 0.02) > 1e-12) throw new Error("two days");
 * ```
 */
export function pyfolioInput(
  data: HasDense | DataFrame,
  options: FactorWeightsOptions = {},
): PyfolioInput {
  const dense = toDense("make the input of pyfolio", data);
  const weights = factorWeights({ dense }, { ...options, compat: "alphalens" });
  const frame = factorReturns({ dense }, weights);
  const isDaily = [...readNumbers("make the input of pyfolio", frame, "horizon")]
    .map((horizon) => horizon === 1);
  const daily = readNumbers("make the input of pyfolio", frame, "return")
    .filter((_, row) => isDaily[row]);
  const sessions = dense.days.slice(dense.from, dense.to);
  // alphalens weighs the benchmark by the sign of the absolute score, so that a score of 0 is not in it.
  const scores = dense.scores.map((score) => score === 0 ? NaN : score);
  const date = dayColumn("date", calendarDays(sessions));
  const benchmark = universeReturns({ ...dense, scores }, 1);
  return {
    returns: frameOf(RETURN_COLUMNS, { date, return: byDay(sessions, daily) }),
    positions: toWide(positions(weights, { holding: 1, compat: "alphalens" })),
    benchmark: frameOf(BENCHMARK_COLUMNS, { date, benchmark: byDay(sessions, benchmark) }),
  };
}

/** Every calendar day from the first to the last session. */
function calendarDays(sessions: Int32Array): Int32Array {
  const first = sessions[0] ?? 0;
  const count = sessions.length === 0 ? 0 : sessions[sessions.length - 1]! - first + 1;
  return Int32Array.from({ length: count }, (_, i) => first + i);
}

// alphalens takes returns from a wealth curve, flat on other days, and so loses the first one.
function byDay(sessions: Int32Array, returns: Float64Array): Float64Array {
  const values = new Float64Array(calendarDays(sessions).length);
  for (const [i, day] of sessions.entries()) {
    if (i > 0) values[day - sessions[0]!] = returns[i]! || 0;
  }
  return values;
}

function toWide({ days: all, tickers, values, span: [from, to] }: Weights): DataFrame {
  const sessions = all.slice(from, to);
  const days = calendarDays(sessions);
  const cash = new Float64Array(days.length).fill(1);
  const columns = tickers.map((ticker, name) => {
    const column = new Float64Array(days.length);
    for (const [i, day] of sessions.entries()) {
      const weight = values[(from + i) * tickers.length + name]!;
      column[day - sessions[0]!] = weight;
      cash[day - sessions[0]!]! -= weight;
    }
    return numberColumn(ticker, column);
  });
  return pl.DataFrame([dayColumn("date", days), ...columns, numberColumn("cash", cash)]);
}
