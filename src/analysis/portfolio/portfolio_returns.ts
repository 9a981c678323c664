import pl, { type DataFrame } from "nodejs-polars";
import { checkOptions, type OptionRules } from "../../base/arguments/check_options.ts";
import { moneyDays } from "../dense/days.ts";
import {
  type DenseScores,
  type HasDense,
  horizonsOf,
  returnsOf,
  toDense,
} from "../dense/dense_frames.ts";
import { marksOf } from "../dense/marks.ts";
import { dayColumn, textColumn } from "../../frames/frame/typed/make_columns.ts";
import {
  ACCOUNT_REASONS,
  type Book,
  BOOK_RULES,
  type BookRules,
  carryBook,
} from "./book/carry_book.ts";
import { readWeights, sessionsDense, type Weights } from "./weights.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import type { Invested } from "../../base/wording/sentences/weighting_text.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import { heldUniverse } from "./book/equal_books.ts";
import { kindsOf, type TableOf } from "../table/columns.ts";
import { rowsByLine } from "../table/frame_of_rows.ts";
import type { FactorWeightsOptions } from "./factor_weights.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";

/** Columns of the table, in order. */
export const BOOK_COLUMNS = `date from return traded untraded unpriced_weight gap_return
  gross_weight net_weight n signal rebalanced reason`;

const ACTION = "compute portfolio returns";

/**
 * Portfolio returns from each session to the next, which do not overlap, by the date on which they are earned.
 *
 * An account in shares: it buys and sells at closes that exist. While a stock has none, its position is marked at the last
 * one, is neither bought nor sold, and books the whole move in the session of the next close; a stock that has ended is cash
 * from its last close on, or stays there with `ended: "null"`. Weights apply until the next ones, as live sets do: a portfolio with weekly or monthly weights is
 * held in between, and its weights drift with prices; the last weights apply for one usual gap. `rebalance` trades less
 * often; `between` closes the portfolio after one session, or restores its weights in each.
 *
 * One row per return: `date` (the session at whose close it is earned, by which it joins a market, a benchmark or a calendar), `from` (the
 * session of its weights, the one before `date`, or `entryLag` sessions earlier), `return`
 * (0.01 is one percent of the capital; 0 for an empty book), `traded` (Σ|Δw|, both sides, from the drifted weights to
 * those that are held until `date`; the first row trades the whole book, and positions stay open after the last one), `untraded`
 * (Σ|Δw| that the weights wanted of stocks without a close), `unpriced_weight` (Σ|w| of stocks without a close at
 * `date`, whose return is 0), `gap_return` (the part of `return` that was earned since earlier sessions, by stocks
 * whose close is back), `gross_weight` (Σ|w|; 0 of an empty book), `net_weight` (Σ w), `n` (stocks that are priced at `date`), `signal` (Boolean, true
 * for new weights), `rebalanced` (Boolean, true if the book was traded to its target weights), `reason` (of a null
 * return: `beyond_prices` after the last price, `total_loss` after one, `no_exit_price` if a frame of rows does not tell
 * what a stock earned over a gap; the result of `align()` always does).
 *
 * @param data The result of {@link align}, with returns of one session, or a frame of its rows
 * @param weights The result of {@link positions}, or of {@link factorWeights}, or a frame of their rows: then every session
 * with a weight is a signal
 * @returns A frame of one row per date: the return, the trades, and the exposures
 * @throws {TypeError} If an option has another value
 * @throws {RangeError} If there are no returns of one session, or a frame lacks a session
 * @see Jegadeesh and Titman (1993), Returns to buying winners and selling losers, Journal of Finance 48
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorWeights, portfolioReturns } from "scoreframe/analysis";
 *
 * // Scores of a Monday, prices of every session: A doubles, so that it is two thirds of the book on Tuesday.
 * const data = pl.DataFrame({
 *   session: ["2026-10-26", "2026-10-26", "2026-10-27", "2026-10-27"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.5, 0.5, null, null],
 *   return_1: [1, 0, 0.03, 0],
 * });
 * const long = factorWeights(data, { neutral: "none" });
 * const [, wednesday] = portfolioReturns(data, long).toRecords();
 * console.assert(wednesday?.date?.toISOString().startsWith("2026-10-28") === true);
 * console.assert(Math.abs(Number(wednesday?.return) - 0.02) < 1e-12 && wednesday?.traded === 0);
 * ```
 */
export function portfolioReturns(
  data: HasDense | DataFrame,
  weights: Weights | DataFrame,
  options: BookRules = {},
): TableOf<typeof BOOK_COLUMNS> {
  checkOptions("call portfolioReturns()", options, BOOK_RULES);
  const dense = sessionsDense(ACTION, data);
  const read = readWeights(ACTION, weights, dense);
  return bookFrame(carryBook(read, marksOf(ACTION, dense), options), dense);
}

/** The returns of a book as rows: of the sessions that another one follows. */
export function bookFrame(
  book: Book,
  dense: Pick<DenseScores, "days" | "entryLag">,
): TableOf<typeof BOOK_COLUMNS> {
  const days = moneyDays(dense, book);
  const end = days.date.length;
  return frameOf(kindsOf(BOOK_COLUMNS), {
    ...days,
    return: book.returns.slice(0, end),
    traded: book.traded.slice(0, end),
    untraded: book.untraded.slice(0, end),
    unpriced_weight: book.unpriced.slice(0, end),
    gap_return: book.gap.slice(0, end),
    gross_weight: book.gross.slice(0, end),
    net_weight: book.net.slice(0, end),
    n: book.counts.slice(0, end),
    signal: Array.from(book.signals.slice(0, end), (mark) => mark === 1),
    rebalanced: Array.from(book.rebalanced.slice(0, end), (mark) => mark === 1),
    reason: textColumn("reason", book.reasons.slice(0, end), ACCOUNT_REASONS),
  });
}

/** Sessions with a return, those in which a portfolio holds something, and its mean gross weight in them. */
export function investedSessions(portfolio: TableOf<typeof BOOK_COLUMNS>): Invested {
  const rows = portfolio.toRecords().filter((row) => row.return !== null);
  const held = rows.map((row) => row.gross_weight!).filter((gross) => gross > 0);
  return { held: held.length, sessions: rows.length, gross: meanOf(held) };
}

/** Columns of the returns, in order. */
const RETURN_COLUMNS = "date return";
/** Columns of the benchmark, in order. */
const BENCHMARK_COLUMNS = "date benchmark";

/** A portfolio in the form that performance tools take, one row per session. */
export interface PortfolioExport {
  /** `date` (Date, the session at whose close the return was earned), `return` (Float64; null where there is none). */
  readonly returns: TableOf<typeof RETURN_COLUMNS>;
  /**
   * `date` (Date, the session from whose close on it is held), a column a ticker (Float64, its weight, moved by prices since the
   * book was last traded; 0 if it is not held), `cash` (1 minus the sum of the weights).
   */
  readonly positions: DataFrame;
  /** `date` as in the returns, `benchmark`: the return of all scored stocks, brought to equal weights in every session. */
  readonly benchmark: TableOf<typeof BENCHMARK_COLUMNS>;
}

const EXPORT = "export a portfolio";

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
  checkOptions("call exportPortfolio()", options, BOOK_RULES);
  const dense = sessionsDense(EXPORT, data);
  const weights = readWeights(EXPORT, positions, dense);
  const values = new Float64Array(weights.values.length).fill(NaN);
  const width = weights.tickers.length;
  const keep = (d: number, held: Float64Array) => values.set(held, d * width);
  const book = carryBook(weights, marksOf(EXPORT, dense), options, keep);
  // Positions of the last session of the prices earn nothing that could be dated.
  const { date } = moneyDays(dense, book);
  const benchmark = heldUniverse(EXPORT, dense, book.span).slice(0, date.length);
  return {
    returns: frameOf(kindsOf(RETURN_COLUMNS), { date, return: book.returns.slice(0, date.length) }),
    positions: toWide({ ...weights, values, span: book.span }),
    benchmark: frameOf(kindsOf(BENCHMARK_COLUMNS), { date, benchmark }),
  };
}

function toWide({ values, span: [from, to], days, tickers }: Weights): DataFrame {
  const reserved = tickers.find((ticker) => ticker === "date" || ticker === "cash");
  if (reserved !== undefined) {
    throw new RangeError(
      `Cannot ${EXPORT}: expected tickers other than date and cash, got ${reserved}; rename it`,
    );
  }
  const cash = new Float64Array(to - from).fill(1);
  const columns = tickers.map((ticker, t) => {
    const weights = cash.map((_, i) => values[(from + i) * tickers.length + t]! || 0);
    for (const [i, weight] of weights.entries()) cash[i]! -= weight;
    return pl.Series(ticker, weights, pl.Float64);
  });
  return pl.DataFrame([
    dayColumn("date", days.slice(from, to)),
    ...columns,
    pl.Series("cash", cash, pl.Float64),
  ]);
}

/** The mean return of all stocks with a score and a return, in each session with scores; NaN without any. */
export function universeReturns(dense: DenseScores, horizon: number): Float64Array {
  const returns = returnsOf("average the universe", dense, horizon);
  const width = dense.tickers.length;
  return Float64Array.from({ length: Math.max(0, dense.to - dense.from) }, (_, session) => {
    const start = (dense.from + session) * width;
    let [sum, n] = [0, 0];
    for (let cell = start; cell < start + width; cell++) {
      const [value, score] = [returns[cell]!, dense.scores[cell]!];
      if (value !== value || score !== score) continue;
      sum += value;
      n++;
    }
    return sum / n;
  });
}

/** Columns of the table, in order. */
const FACTOR_COLUMNS = "session horizon return missing_weight n reason";

const FACTOR_RULES: OptionRules<Pick<FactorWeightsOptions, "compat">> = { compat: COMPAT };

/**
 * The forward returns of a portfolio: Σ w r over the stocks with a return, not rescaled.
 *
 * One row per session and horizon: `session`, `horizon`, `return` (0.01 is one percent of the capital), `missing_weight`
 * (Σ|w| of stocks without a return, which the return leaves out), `n` (stocks with a return), `reason` (`too_few_names`
 * without any). Returns of horizons beyond one session overlap: compound those of {@link portfolioReturns} instead.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @returns A frame of one row per session and horizon: the return, and the weight without one
 * @see Lehmann (1990), Fads, martingales, and market efficiency, Quarterly Journal of Economics 105
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorReturns, factorWeights } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(3).fill("2026-10-30"),
 *   ticker: ["A", "B", "C"],
 *   score: [0.25, 0.5, 0.75],
 *   return_1: [0.01, 0.02, null],
 * });
 * const rows = factorReturns(data, factorWeights(data));
 * const [value] = rows.getColumn("return").toArray();
 * const [missing] = rows.getColumn("missing_weight").toArray();
 * if (value !== -0.005 || missing !== 0.5) throw new Error("half of the book has no return");
 * ```
 */
export function factorReturns(
  data: HasDense | DataFrame,
  weights: Weights | DataFrame,
  options: Pick<FactorWeightsOptions, "compat"> = {},
): TableOf<typeof FACTOR_COLUMNS> {
  checkOptions("call factorReturns()", options, FACTOR_RULES);
  presetOf("factorReturns", options.compat);
  const action = "compute factor returns";
  const dense = toDense(action, data);
  const read = readWeights(action, weights, dense);
  const lines = horizonsOf(action, dense).map((horizon) =>
    returnLine(read, horizon, returnsOf(action, dense, horizon))
  );
  const { span: [from, to], days } = read;
  const { counts, numbers } = rowsByLine(to - from, lines);
  const none = counts(({ returns }, session) => Number.isNaN(returns[session]!) ? 0 : -1);
  return frameOf(kindsOf(FACTOR_COLUMNS), {
    session: counts((_, session) => days[from + session]!),
    horizon: counts(({ horizon }) => horizon),
    return: numbers(({ returns }, session) => returns[session]!),
    missing_weight: numbers(({ missing }, session) => missing[session]!),
    n: counts((line, session) => line.counts[session]!),
    reason: textColumn("reason", none, ["too_few_names"]),
  });
}

function returnLine(
  { values, span: [from, to], tickers }: Weights,
  horizon: number,
  of: Float64Array,
) {
  const width = tickers.length;
  const returns = new Float64Array(to - from);
  const missing = new Float64Array(to - from);
  const counts = new Int32Array(to - from);
  for (let d = from; d < to; d++) {
    const session = d - from;
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const weight = values[cell]!;
      if (weight !== weight) continue;
      const gain = of[cell]!;
      if (gain === gain) {
        returns[session]! += weight * gain;
        counts[session]!++;
      } else missing[session]! += Math.abs(weight);
    }
    if (counts[session] === 0) returns[session] = NaN;
  }
  return { horizon, returns, missing, counts };
}
