import pl, { type DataFrame } from "nodejs-polars";
import { checkOptions, type OptionRules } from "../../base/arguments/check_options.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { moneyDays } from "../dense/days.ts";
import { marksOf } from "../dense/marks.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import { dayColumn } from "../../frames/frame/typed/make_columns.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { BOOK_RULES, type BookRules, carryBook } from "./book/carry_book.ts";
import { heldUniverse } from "./book/equal_books.ts";
import { sessionsDense } from "./sessions_dense.ts";
import { readWeights, type Weights } from "./weights.ts";

/** Columns of the returns, in order. */
const RETURN_COLUMNS = { date: "date", return: "number" } as const;
/** Columns of the benchmark, in order. */
const BENCHMARK_COLUMNS = { date: "date", benchmark: "number" } as const;

/** A portfolio in the form that performance tools take, one row per session. */
export interface PortfolioExport {
  /** `date` (Date, the session at whose close the return was earned), `return` (Float64; null where there is none). */
  readonly returns: TableFrame<typeof RETURN_COLUMNS>;
  /**
   * `date` (Date, the session from whose close on it is held), a column a ticker (Float64, its weight, moved by prices since the
   * book was last traded; 0 if it is not held), `cash` (1 minus the sum of the weights).
   */
  readonly positions: DataFrame;
  /** `date` as in the returns, `benchmark`: the return of all scored stocks, brought to equal weights in every session. */
  readonly benchmark: TableFrame<typeof BENCHMARK_COLUMNS>;
}

const ACTION = "export a portfolio";
const RULES: OptionRules<BookRules> = BOOK_RULES;

/**
 * A portfolio in the form that performance tools such as pyfolio, quantstats and empyrical take.
 *
 * The rows are the sessions of the data; no calendar days are added, and a missing return stays null. A return has the
 * date of the close at which it was earned, as in {@link portfolioReturns} and as those tools expect. Weights that add up to 0 leave all of the capital in cash.
 *
 * @param data The result of {@link align}, with returns of one session, or a frame of its rows
 * @param positions The result of {@link positions}, or of {@link factorWeights}
 * @returns Three frames by date: returns, positions, benchmark
 * @throws {RangeError} If there are no returns of one session, or a ticker is named `date` or `cash`
 * @see pyfolio (Quantopian, 2015), the form of `create_full_tear_sheet`
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
  options: BookRules = {},
): PortfolioExport {
  checkOptions("call exportPortfolio()", options, RULES);
  const dense = sessionsDense(ACTION, data);
  const weights = readWeights(ACTION, positions, dense);
  const values = new Float64Array(weights.values.length).fill(NaN);
  const width = weights.tickers.length;
  const keep = (d: number, held: Float64Array) => values.set(held, d * width);
  const book = carryBook(weights, marksOf(ACTION, dense), options, keep);
  // Positions of the last session of the prices earn nothing that could be dated.
  const { date } = moneyDays(dense, book);
  const benchmark = heldUniverse(ACTION, dense, book.span).slice(0, date.length);
  return {
    returns: frameOf(RETURN_COLUMNS, { date, return: book.returns.slice(0, date.length) }),
    positions: toWide({ ...weights, values, span: book.span }),
    benchmark: frameOf(BENCHMARK_COLUMNS, { date, benchmark }),
  };
}

function toWide({ values, span: [from, to], days, tickers }: Weights): DataFrame {
  const reserved = tickers.find((ticker) => ticker === "date" || ticker === "cash");
  if (reserved !== undefined) {
    throw new RangeError(
      `Cannot ${ACTION}: expected tickers other than date and cash, got ${reserved}; rename it`,
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
