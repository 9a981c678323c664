import type { DataFrame } from "nodejs-polars";
import { assertColumns, assertFrame } from "../../frames/frame/assert_frame.ts";
import { refuseAdjustedLevel } from "../table/score_columns.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import { type DenseScores, type HasDense, returnsOf } from "../dense/dense_frames.ts";
import { marksOf } from "../dense/marks.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { Reason } from "../reason.ts";
import { BOOK_RULES, type BookRules, carryBook } from "./book/carry_book.ts";
import { readWeights, sessionsDense, type Weights } from "./weights.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { cellsOfRows } from "../dense/column_grids.ts";
import { moneyDays } from "../dense/days.ts";
import { readNumbers } from "../table/read_columns.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const LIQUIDITY_COLUMNS =
  "date from return traded impact capital_limit binding missing_traded n reason";

const RULES: rules.OptionRules<NonNullable<Parameters<typeof tradeLiquidity>[3]>> = {
  ...BOOK_RULES,
  participation: rules.between(1e-6, 1),
  window: rules.whole(2),
  volume: rules.TEXT,
  price: rules.either(rules.TEXT, rules.exactly(null)),
};
const ACTION = "measure the liquidity of trades";
// Trades above the limit may be a twentieth of the traded value, so that one stock does not set the limit.
const SHARE_ABOVE = 0.05;

/** A trade of one stock in one session. */
interface Trade {
  readonly ticker: string;
  /** |Δw|. */
  readonly size: number;
  /** Average daily volume, in currency; NaN if it is not known. */
  readonly volume: number;
  /** Standard deviation of the stock's returns a session; NaN if it is not known. */
  readonly volatility: number;
}

/**
 * Liquidity of a portfolio's trades by session: market impact by the square-root law, and the capital whose trades stay
 * within a share of the average daily volume.
 *
 * A trade of Δw of a capital C takes C|Δw|/ADV of a stock's average daily volume (ADV, in currency: the mean of price times volume
 * over the `window` sessions before the trade) and costs σ √(C|Δw|/ADV) of its value, with σ the standard deviation of
 * the returns of the same sessions. Both need values in at least half of these sessions, and a volume above 0.
 *
 * One row per return: `date` (Date, the session at whose close it is earned), `from` (the session of the trades), `return` and `traded` (as in {@link portfolioReturns}), `impact` (Float64, Σ σ |Δw|^1.5 / √ADV: times √C the
 * cost as a share of the capital), `capital_limit` (Float64, in currency: the largest capital at which 95% of the traded value is in
 * trades within `participation` of the ADV), `binding` (Utf8, the ticker of the least liquid trade), `missing_traded`
 * (Float64, Σ|Δw| of trades without ADV or σ; they are charged no impact), `n` (Int32, trades that count), `reason` (`too_few_windows` where no trade
 * counts). A session without trades has an impact of 0 and no limit. Input of {@link capacity} and {@link tradingCosts}.
 *
 * @param data The result of {@link align}, with returns of one session, or a frame of its rows
 * @param weights The result of {@link positions} or {@link factorWeights}, or a frame of their rows
 * @param market A frame with `date` or `session`, `ticker`, volumes and prices; both raw or both adjusted for splits
 * @param options Limit of participation, window, columns, and rebalancing
 * @returns A frame of one row per date
 * @throws {TypeError} If a column is missing, an option is unknown, or a stock occurs twice in a session
 * @throws {RangeError} If there are no returns of one session, a volume or price is negative, or no volume belongs to a
 *   stock and session of the data
 * @see Torre (1997), BARRA market impact model handbook; Grinold and Kahn (2000), Active portfolio management, chapter 16
 *
 * @example Usage
 * ```ts
 * import { factorWeights, tradeLiquidity } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const days = ["2026-10-26", "2026-10-27", "2026-10-28"];
 * const rows = days.flatMap((session, i) => ["A", "B"].map((ticker) => ({
 *   session,
 *   ticker,
 *   score: i < 2 ? null : ticker === "A" ? 1 : -1,
 *   return_1: i % 2 === 0 ? 0.02 : -0.02,
 * })));
 * const data = pl.DataFrame(rows, { schema: { session: pl.Utf8, ticker: pl.Utf8, score: pl.Float64, return_1: pl.Float64 } });
 * const market = pl.DataFrame(rows).select("session", "ticker").withColumns(
 *   pl.lit(10).alias("raw"),
 *   pl.lit(100_000).alias("volume"),
 * );
 * const [row] = tradeLiquidity(data, factorWeights(data), market, { price: "raw", window: 2 }).toRecords();
 * // Half of the capital in each stock, of which a million is traded a day: 5% of it is 50,000.
 * console.assert(Number(row?.capital_limit) === 100_000);
 * ```
 */
export function tradeLiquidity(
  data: HasDense | DataFrame,
  weights: Weights | DataFrame,
  market: DataFrame,
  options: BookRules & {
    /** Largest share of a stock's average daily volume that may be traded in a session, in (0, 1]. @default 0.05 */
    readonly participation?: number;
    /** Sessions before a trade over which volume and volatility are measured. @default 21 */
    readonly window?: number;
    /** Column of the volumes. @default "volume" */
    readonly volume?: string;
    /** Column of prices that turns shares into currency; `null` for volumes in currency. @default "close" */
    readonly price?: string | null;
  } = {},
): TableOf<typeof LIQUIDITY_COLUMNS> {
  rules.checkOptions("call tradeLiquidity()", options, RULES);
  const { participation = 0.05, window = 21, volume = "volume", price = "close" } = options;
  assertFrame(ACTION, market);
  if (price !== null) refuseAdjustedLevel(ACTION, market, [price]);
  const dense = sessionsDense(ACTION, data);
  const read = readWeights(ACTION, weights, dense);
  const returns = returnsOf(ACTION, dense, 1);
  const volumes = tradedValues(market, dense, price === null ? [volume] : [volume, price]);
  const trades = new Map<number, readonly Trade[]>();
  const liquidityOf = liquidityIn(returns, volumes, dense.tickers.length, window);
  const keep = (d: number, held: Float64Array, before: Float64Array) =>
    trades.set(d, tradesOf(read.tickers, held, before, (name) => liquidityOf(name, d)));
  const book = carryBook(read, marksOf(ACTION, dense), options, keep);
  const { date: dates, from } = moneyDays(dense, book);
  const rows = Array.from(dates, (date, i) => {
    const all = trades.get(book.span[0] + i) ?? [];
    const gain = Number.isNaN(book.returns[i]!) ? null : book.returns[i]!;
    return [date, from[i]!, gain, book.traded[i]!, ...cellsOf(all, participation)];
  });
  return tableOfRows(rows, LIQUIDITY_COLUMNS);
}

/** The cells of a session's trades, from the impact on. */
function cellsOf(all: readonly Trade[], participation: number) {
  const [known, unknown] = [all.filter(isKnown), all.filter((trade) => !isKnown(trade))];
  const why: Reason | null = known.length > 0 || unknown.length === 0 ? null : "too_few_windows";
  const missing = unknown.reduce((sum, { size }) => sum + size, 0);
  const impact = why === null ? impactOf(known) : null;
  return [impact, ...limitOf(known, participation), missing, known.length, why];
}

function tradesOf(
  tickers: readonly string[],
  held: Float64Array,
  before: Float64Array,
  liquidityOf: (name: number) => Pick<Trade, "volume" | "volatility">,
): readonly Trade[] {
  return tickers.flatMap((ticker, name) => {
    const size = Math.abs((held[name]! || 0) - (before[name]! || 0));
    return size > 0 ? [{ ticker, size, ...liquidityOf(name) }] : [];
  });
}

/** A function that measures the average daily volume and the volatility of a stock in the sessions before a trade; its return from one of them ends by the next. */
function liquidityIn(returns: Float64Array, volumes: Float64Array, width: number, window: number) {
  const isLong = (values: readonly number[]) => values.length >= Math.max(2, window / 2);
  return (name: number, d: number): Pick<Trade, "volume" | "volatility"> => {
    const start = Math.max(0, d - window);
    const [traded, earned] = [volumes, returns].map((all) =>
      Array.from({ length: d - start }, (_, i) => all[(start + i) * width + name]!)
        .filter((value) => value === value)
    ) as [number[], number[]];
    const volume = isLong(traded) ? meanOf(traded) : NaN;
    const volatility = isLong(earned) ? deviationOf(earned)! : NaN;
    return { volume: volume > 0 ? volume : NaN, volatility };
  };
}

function isKnown({ volume, volatility }: Trade): boolean {
  return volume === volume && volatility === volatility;
}

function impactOf(known: readonly Trade[]): number {
  return known.reduce(
    (sum, { size, volume, volatility }) => sum + volatility * size ** 1.5 / Math.sqrt(volume),
    0,
  );
}

/** The capital at which the trades above the limit are a twentieth of the traded value, and the stock that is above it first. */
function limitOf(known: readonly Trade[], participation: number) {
  const trades = known
    .map(({ ticker, size, volume }) => ({ ticker, size, capital: participation * volume / size }))
    .sort((a, b) => a.capital - b.capital);
  const allowed = SHARE_ABOVE * trades.reduce((sum, { size }) => sum + size, 0);
  let above = 0;
  for (const { size, capital } of trades) {
    above += size;
    if (above > allowed) return [capital, trades[0]!.ticker];
  }
  return [null, null];
}

/**
 * Value of all trades of a stock in a session, in currency, as sessions × tickers; NaN where the volume or price is null or has no row.
 *
 * @throws {TypeError} If a column is missing, or a stock occurs twice in a session
 * @throws {RangeError} If a volume or price is negative, or no row is of a stock and session of the data
 */
function tradedValues(
  market: DataFrame,
  { days, tickers }: DenseScores,
  numbers: readonly string[],
): Float64Array {
  assertColumns(ACTION, market, ["ticker", ...numbers]);
  const cells = cellsOfRows(ACTION, market, { days, tickers }, "one volume", "drop duplicates");
  const amounts = numbers.map((name) => ({ name, values: readNumbers(ACTION, market, name) }));
  const values = new Float64Array(days.length * tickers.length).fill(NaN);
  for (const [row, cell] of cells.entries()) {
    if (cell === -1) continue;
    for (const { name, values: of } of amounts) {
      if (!(of[row]! < 0)) continue;
      const day = fromEpochDay(days[Math.floor(cell / tickers.length)]!);
      const stock = `${day} ${tickers[cell % tickers.length]}`;
      throw new RangeError(
        `Cannot ${ACTION}: expected volumes and prices of at least 0, got a ${name} ` +
          `${of[row]} for ${stock} in row ${row}; make unknown ones null`,
      );
    }
    values[cell] = amounts.reduce((product, { values: of }) => product * of[row]!, 1);
  }
  if (cells.some((cell) => cell !== -1)) return values;
  throw new RangeError(
    `Cannot ${ACTION}: expected volumes of the stocks and sessions of the data, got none; give the rows that ` +
      "the prices are of",
  );
}
