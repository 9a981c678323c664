import pl, { type DataFrame } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
  TEXT,
} from "../../../arguments/check_options.ts";
import { fromEpochDay, toEpochDay } from "../../../calendar/civil_date.ts";
import { type CalendarDate, isCalendarDate } from "../../../contract/instant.ts";
import { describe } from "../../../contract/violation.ts";
import { assertFrame } from "../../../frame/assert_frame.ts";
import { sayCompat } from "../../alphalens/say_compat.ts";
import { readPrices } from "../../../prices/read_prices.ts";
import { dayColumn, numberColumn, textColumn } from "../../table/make_columns.ts";
import { type Displayed, displayParts } from "../../table/display_parts.ts";
import { describeReturns } from "./describe_returns.ts";
import { type PriceGrid, toPriceGrid } from "./price_grid.ts";
import { toPriceNotes } from "./price_notes.ts";
import { type Ended, WINDOW_REASONS, type WindowReturns, windowReturns } from "./window_returns.ts";

/** How forward returns are computed. */
export interface ForwardReturnsOptions {
  /** The horizons, in sessions. @default [1, 5, 21] */
  readonly periods?: readonly number[];
  /** Sessions between a row's session and its entry. @default 0 */
  readonly entryLag?: number;
  /** A missing close is null, or the last close before it (for comparison only). @default "null" */
  readonly missing?: "null" | "pad";
  /**
   * A name whose last close lies inside a window, while the prices go on: held to that close, null, or held to that
   * close with a further return at the end (Shumway 1997).
   *
   * @default "last"
   */
  readonly ended?: Ended;
  /** Whether to trade at closes or at opens. @default "close" */
  readonly price?: "close" | "open";
  /** Names of the columns. @default `{ date: "date", ticker: "ticker" }` and the kind of price */
  readonly columns?: {
    readonly date?: string;
    readonly ticker?: string;
    readonly close?: string;
    readonly open?: string;
  };
  /** The sessions, as dates. @default all dates of the prices */
  readonly sessions?: readonly CalendarDate[];
  /** `"alphalens"`: missing closes are padded, as alphalens does. @default none */
  readonly compat?: "alphalens";
}

/** Forward returns of every session and ticker, and what they rest on. */
export interface ForwardReturns extends Displayed {
  /**
   * One row a session and ticker with a row in the prices, by session and ticker; made when first asked for.
   * Columns: `session` (Date), `ticker`, and for each horizon `return_h` (Float64, 0.01 is one percent) and `why_h`
   * (null for a plain return, `ended`, or why `return_h` is null).
   */
  readonly data: DataFrame;
  /**
   * What to look at, nothing of it changed: `session`, `ticker`, `what`, `value`. A `large_move` beyond ×5 or ÷5 (the
   * growth), a `weekend` among the sessions (null), closes that `resumed` after a gap (sessions without one). Of names that
   * resume later, prices that were cut within the gap would have counted windows to the last close before it.
   */
  readonly notes: DataFrame;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** Whether windows begin and end at closes or at opens. */
  readonly price: "close" | "open";
  /** The prices as sessions × tickers. */
  readonly grid: PriceGrid;
  /** The returns of each horizon, laid out as the prices are. */
  readonly windows: ReadonlyMap<number, WindowReturns>;
}

const RULES: OptionRules<ForwardReturnsOptions> = {
  periods: ANY_VALUE,
  entryLag: ANY_VALUE,
  missing: oneOf("null", "pad"),
  ended: ANY_VALUE,
  price: oneOf("close", "open"),
  columns: ANY_VALUE,
  sessions: ANY_VALUE,
  compat: oneOf("alphalens"),
};
const COLUMN_RULES = { date: TEXT, ticker: TEXT, close: TEXT, open: TEXT };

/**
 * Returns from each session's close over the next sessions, by position among the sessions of the prices.
 *
 * `return_h` of session i is close[i + lag + h] / close[i + lag] − 1. It is null if either close is missing or the window ends after
 * the last session: no price is carried forward. A name whose last close lies inside the window, while the prices go
 * on, has the return to that close (`ended`), because leaving it out would let the future choose which names count.
 * Closes are taken as adjusted for splits and dividends. Cost: one pass over the prices for each horizon.
 *
 * @param prices One row a date and ticker, with a close or an open; or the path of a CSV or Parquet file of such rows
 * @returns The returns as a frame and as arrays; a promise of them if a file is read
 * @throws {TypeError} If a column is missing or of another type, or a date and ticker repeat
 * @throws {RangeError} If a price is not positive, or a horizon is no positive whole number
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { forwardReturns } from "scoreframe/analysis";
 *
 * const prices = pl.DataFrame({
 *   date: ["2026-10-28", "2026-10-29", "2026-10-30"],
 *   ticker: ["AAA", "AAA", "AAA"],
 *   close: [100, 101, 103.02],
 * });
 * const { data } = forwardReturns(prices, { periods: [1] });
 * if (data.getColumn("why_1").toArray().join() !== ",,beyond_prices") throw new Error("three rows");
 * ```
 */
export function forwardReturns(prices: DataFrame, options?: ForwardReturnsOptions): ForwardReturns;
/** The same from a CSV or Parquet file, which `readPrices()` reads and checks. */
export function forwardReturns(
  prices: string,
  options?: ForwardReturnsOptions,
): Promise<ForwardReturns>;
export function forwardReturns(
  prices: DataFrame | string,
  options: ForwardReturnsOptions = {},
): ForwardReturns | Promise<ForwardReturns> {
  checkOptions("forwardReturns()", options, RULES);
  sayCompat(
    options.compat,
    "forwardReturns(): missing closes are padded, so a gap is 0 % and then a jump",
  );
  checkOptions("forwardReturns() with columns", options.columns ?? {}, COLUMN_RULES);
  if (typeof prices === "string") {
    const { date, ticker, price } = columnsOf(options);
    // What is read has the names of closes, whatever they are called in the file.
    const columns = { date: "date", ticker: "ticker", close: "close", open: "close" };
    return readPrices(prices, { date, ticker, close: price })
      .then((frame) => compute(frame, { ...options, columns }));
  }
  assertFrame("compute forward returns", prices);
  return compute(prices, options);
}

/**
 * The returns of a span of sessions whose names may have prices before and after it.
 *
 * @param listed Each name of all prices with the day of its last price, in days since 1970-01-01; `null` if it has none
 */
export function returnsOfSpan(
  prices: DataFrame,
  options: ForwardReturnsOptions,
  listed: ReadonlyMap<string, number | null>,
): ForwardReturns {
  return compute(prices, options, listed);
}

function compute(
  frame: DataFrame,
  options: ForwardReturnsOptions,
  listed: ReadonlyMap<string, number | null> = new Map(),
): ForwardReturns {
  const { entryLag = 0, ended = "last", price = "close", compat } = options;
  const missing = options.missing ?? (compat === undefined ? "null" : "pad");
  const periods = readPeriods(options.periods ?? [1, 5, 21]);
  if (!Number.isInteger(entryLag) || entryLag < 0) throw wrong("a whole entryLag from 0", entryLag);
  assertEnded(ended);
  const sessions = options.sessions === undefined ? null : readSessions(options.sessions);
  const grid = toPriceGrid(frame, columnsOf(options), sessions, [...listed.keys()]);
  const rules = { entryLag, missing, ended, later: laterThan(grid, listed) };
  const windows = new Map(periods.map((h) => [h, windowReturns(grid, h, rules)]));
  let data: DataFrame | null = null;
  let notes: DataFrame | null = null;
  const result: ForwardReturns = {
    ...displayParts(() => describeReturns(result), () => ({ data: result.data })),
    get data() {
      return data ??= toReturnsFrame(grid, windows);
    },
    get notes() {
      return notes ??= toPriceNotes(grid);
    },
    sessions: [...grid.days].map(fromEpochDay),
    periods,
    entryLag,
    price,
    grid,
    windows,
  };
  return result;
}

/** 1 for each name that has a price after the last session of the grid. */
function laterThan(
  { days, tickers }: PriceGrid,
  listed: ReadonlyMap<string, number | null>,
): Uint8Array {
  const end = days.at(-1) ?? -Infinity;
  return Uint8Array.from(tickers, (ticker) => (listed.get(ticker) ?? -Infinity) > end ? 1 : 0);
}

function toReturnsFrame(
  { days, tickers, present }: PriceGrid,
  windows: ReadonlyMap<number, WindowReturns>,
): DataFrame {
  const cells = Int32Array.from(present.keys()).filter((cell) => present[cell] === 1);
  const names = tickers.length;
  return pl.DataFrame([
    dayColumn("session", cells.map((cell) => days[Math.floor(cell / names)]!)),
    textColumn("ticker", cells.map((cell) => cell % names), tickers),
    ...[...windows].flatMap(([horizon, { values, why }]) => [
      numberColumn(`return_${horizon}`, Float64Array.from(cells, (cell) => values[cell]!)),
      textColumn(`why_${horizon}`, cells.map((cell) => why[cell]!), WINDOW_REASONS),
    ]),
  ]);
}

function columnsOf({ columns = {}, price = "close" }: ForwardReturnsOptions) {
  const { date = "date", ticker = "ticker" } = columns;
  return { date, ticker, price: columns[price] ?? price };
}

function readPeriods(periods: unknown): readonly number[] {
  const isRight = Array.isArray(periods) && periods.length > 0 &&
    periods.every((period) => Number.isInteger(period) && period > 0);
  if (!isRight) throw wrong("positive whole numbers of sessions as periods", periods);
  return [...new Set(periods as number[])].toSorted((a, b) => a - b);
}

function readSessions(sessions: unknown): Int32Array {
  if (!Array.isArray(sessions) || sessions.length === 0 || !sessions.every(isCalendarDate)) {
    throw wrong("dates of the form YYYY-MM-DD as sessions", sessions);
  }
  return Int32Array.from(new Set(sessions.map(toEpochDay))).sort();
}

function assertEnded(ended: unknown): void {
  if (ended === "last" || ended === "null") return;
  const value = (ended as { return?: unknown } | null)?.return;
  if (typeof value === "number" && value >= -1 && value < Infinity) return;
  throw wrong('"last", "null" or { return: -0.3 } as ended', ended);
}

function wrong(required: string, value: unknown): RangeError {
  return new RangeError(
    `Cannot compute forward returns: ${required} is required, got ${describe(value)}`,
  );
}
