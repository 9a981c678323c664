import pl, { type DataFrame } from "nodejs-polars";
import {
  adjustedPrices,
  givenOptions,
  MARKET_RULES,
  type PriceMarket,
  type PriceMarketOptions,
  readSessionRules,
  toPriceMarket,
} from "./price_market.ts";
import { stateOfCloses } from "../../../frames/prices/closes/close_state.ts";
import { SESSION_COUNT } from "../../cross_section/read_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import * as rules from "../../../base/arguments/check_options.ts";
import { fromEpochDay, toEpochDay } from "../../../base/calendar/civil_date.ts";
import { type CalendarDate, isCalendarDate } from "../../../base/contract/instant.ts";
import { assertRows } from "../../../frames/frame/assert_frame.ts";
import type { ReadPricesOptions } from "../../../frames/prices/prices_options.ts";
import { readPrices } from "../../../frames/prices/read_prices.ts";
import { dayColumn, numberColumn, textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { displayParts } from "../../table/frame_of_rows.ts";
import type { Marks } from "../../dense/dense_frames.ts";
import {
  type Ended,
  listingsOf,
  padded,
  type PriceGrid,
  toPriceGrid,
  WINDOW_REASONS,
  type WindowReturns,
  windowReturns,
  type WindowRules,
} from "./price_grid.ts";
import { framed } from "../../../frames/frame/typed/frame_of.ts";
import type { TypedFrame } from "../../../frames/frame/typed/typed_frame.ts";
import { refuseStill } from "../../../frames/prices/values/check_values.ts";
import { type NOTE_COLUMNS, refuseSmoothed, stillShare, toPriceNotes } from "./price_notes.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { periodText, sampleText } from "../../../base/wording/period_text.ts";
import { describe } from "../../../base/contract/violation.ts";
import { SESSIONS_OF_QUARTER } from "../../../base/statistics/moments.ts";
import { FREQUENCIES, type Frequency } from "../../../frames/prices/dates/frequency.ts";
import type { TableOf } from "../../table/columns.ts";

/** Options of forward returns. */
export interface ForwardReturnsOptions extends PriceMarketOptions {
  /** The horizons, in sessions. @default [1, 5, 21]; for weekly prices [1, 4, 13], for monthly ones [1, 3, 12] */
  readonly periods?: number | readonly number[];
  /** Sessions between a row's session and its entry. @default 0 */
  readonly entryLag?: number;
  /** Treatment of a missing close: null, or the last close before it (for comparison only). @default "null" */
  readonly missing?: "null" | "pad";
  /**
   * Treatment of a stock whose last close is at the entry or inside a window, while other prices continue: held to that
   * close (a return of 0 from an entry there), null, or held to that close with a delisting return at the end (Shumway
   * 1997).
   *
   * @default "last"
   */
  readonly ended?: "last" | "null" | { readonly return: number };
  /**
   * Sessions without a close after which a stock has ended at its last one: what has its ticker afterwards is another stock, and no return, weight or
   * account crosses the gap. `null` if a ticker is one stock for ever.
   *
   * @default a quarter: 63 sessions, 13 weeks, 3 months
   */
  readonly maxGap?: number | null;
  /** `true` for prices whose one-session returns depend on each other, such as appraised values. @default false */
  readonly smoothed?: boolean;
  /** Price at which positions trade. @default "close" */
  readonly price?: "close" | "open";
  /** Names of the columns. @default `{ date: "date", ticker: "ticker" }` and the kind of price */
  readonly columns?: {
    readonly date?: string;
    readonly ticker?: string;
    readonly close?: string;
    readonly open?: string;
  };
  /** The sessions, as dates; rows on other dates are left out and counted. @default those of the calendar */
  readonly sessions?: readonly CalendarDate[];
  /** `"alphalens"`: missing closes are padded, and every date is a session, as alphalens does. @default none */
  readonly compat?: "alphalens";
}

/**
 * Columns of forward returns: `return_1` and `why_1` for a horizon of one session.
 *
 * @internal
 */
type ReturnColumns =
  & { readonly session: pl.Date; readonly ticker: pl.Utf8 }
  & { readonly [Name in `return_${number}`]: pl.Float64 }
  & { readonly [Name in `why_${number}`]: pl.Utf8 };

/** Forward returns of every session and ticker, with their prices and market. */
export interface ForwardReturns {
  /**
   * One row per session and ticker with a row in the prices, by session and ticker; built on first access.
   * Columns: `session` (Date), `ticker`, and for each horizon `return_h` (Float64, 0.01 is one percent) and `why_h`
   * (null for a plain return, `ended`, or why `return_h` is null).
   */
  readonly data: TypedFrame<ReturnColumns>;
  /**
   * Notes on prices, none of which was changed: `session`, `ticker`, `what`, `value`. Kinds: `jump` (the size of a split:
   * a close at least 1.9 times the one before, or at most 1/1.9 of it; `value` is the ratio), `resumed` (closes after a
   * gap; `value` is the number of sessions without one), `relisted` (closes after a gap longer than `maxGap`: of another stock), `missing_session` (no ticker has a row), `stray_date` (not a
   * session; its rows are left out), `weekend` (among the sessions of an own calendar). With prices that end inside such
   * a gap, the returns of the ticker end at its last close before the gap. The loss report and the judgement state jumps,
   * missing sessions and stray dates.
   */
  readonly notes: TableOf<typeof NOTE_COLUMNS>;
  /** The sessions of the prices. */
  readonly sessions: readonly CalendarDate[];
  /** The market of the prices: their frequency, their calendar, and the periods of a year. */
  readonly market: PriceMarket;
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** Price at which windows begin and end. */
  readonly price: "close" | "open";
  /**
   * The prices as sessions × tickers.
   *
   * @ignore
   */
  readonly grid: PriceGrid;
  /**
   * The returns of each horizon, laid out as the prices are.
   *
   * @ignore
   */
  readonly windows: ReadonlyMap<number, WindowReturns>;
  /**
   * Worth of positions from session to session, laid out as the prices are; computed on each call.
   *
   * @ignore
   */
  readonly marks: () => Marks;
}

const ACTION = "compute forward returns";
const QUARTERS = 4;
const COLUMN_RULES = { date: rules.TEXT, ticker: rules.TEXT, close: rules.TEXT, open: rules.TEXT };
const ENDED: rules.Rule<Ended> = rules.ruleOf(
  '"last", "null" or { return: -0.3 }',
  (value) => {
    if (value === "last" || value === "null") return true;
    const ended = (value as { readonly return?: unknown } | null)?.return;
    return typeof ended === "number" && ended >= -1 && ended < Infinity;
  },
  { isKind: () => true },
);
/** Horizons. */
export const PERIODS: rules.Rule<number | readonly number[]> = rules.wholes(
  "sessions",
  "[1, 5, 21]",
);
/** Accepted options of forward returns. */
const RETURN_RULES: rules.OptionRules<ForwardReturnsOptions> = {
  periods: PERIODS,
  entryLag: rules.whole(0),
  missing: rules.oneOf("null", "pad"),
  ended: ENDED,
  maxGap: rules.ruleOf(
    "a whole number of sessions, at least 1, or null",
    (value) => value === null || SESSION_COUNT.accepts(value),
    { isKind: (value) => typeof value === "number" },
  ),
  smoothed: rules.FLAG,
  price: rules.oneOf("close", "open"),
  columns: rules.ruleBy(
    "an object with names of columns",
    (_, given) => rules.checkOptions("call forwardReturns() with columns", given, COLUMN_RULES),
  ),
  sessions: rules.severalOf("dates of the form YYYY-MM-DD", isCalendarDate),
  ...MARKET_RULES,
  compat: COMPAT,
};

/** Default horizons and lags of each frequency, in periods: about a day, a week and a month; a month, a quarter, a year. */
export const DEFAULT_PERIODS: Readonly<
  Record<Frequency, { periods: readonly number[]; lastLag: number }>
> = {
  daily: { periods: [1, 5, 21], lastLag: SESSIONS_OF_QUARTER },
  weekly: { periods: [1, 4, 13], lastLag: 26 },
  monthly: { periods: [1, 3, 12], lastLag: 24 },
  quarterly: { periods: [1, 2, 4], lastLag: 8 },
  yearly: { periods: [1, 2, 3], lastLag: 3 },
};

/**
 * Forward returns from the close of each session over the next h sessions of the prices.
 *
 * `return_h` of session i is close[i + lag + h] / close[i + lag] − 1. It is null if either close is missing or the
 * window ends after the last session: no price is carried forward. A stock whose last close is at the entry or inside
 * the window, while other stocks continue to trade, gets the return to that close (`ended`; 0 if it was entered there);
 * leaving it out would cause survivorship bias. With `ended: { return: −0.3 }` the delisting return also enters
 * one-session returns, and so every portfolio. A frame with returns (`return`, `ret`) and no close has their index as closes. Closes are assumed to be adjusted for splits and dividends. Dates are
 * daily sessions of the US market; `calendar` and `frequency` set others. Cost: one pass over the prices per horizon.
 *
 * @param prices One row per date and ticker, with a close, an open or a return; or the path of a CSV or Parquet file of such rows
 * @returns The returns as a frame and as arrays; a promise of them if a file is read
 * @throws {TypeError} If a column is missing or of another type, or a date and ticker repeat
 * @throws {RangeError} If a price is not positive, dates are not sessions or not daily, or a horizon is not a positive whole
 * number
 * @see Shumway (1997), The delisting bias in CRSP data, Journal of Finance 52, on delisted stocks
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
/**
 * The same from a CSV or Parquet file, which `readPrices()` reads and checks.
 *
 * @returns The returns by session, ticker and horizon, which `align()` joins with scores
 * @see Shumway (1997), The delisting bias in CRSP data, Journal of Finance 52, on delisted stocks
 */
export function forwardReturns(
  prices: string,
  options?: ForwardReturnsOptions,
): Promise<ForwardReturns>;
/**
 * The same for either of them; `await` the result.
 *
 * @returns The returns by session, ticker and horizon
 */
export function forwardReturns(
  prices: DataFrame | string,
  options?: ForwardReturnsOptions,
): ForwardReturns | Promise<ForwardReturns>;
export function forwardReturns(
  prices: DataFrame | string,
  options: ForwardReturnsOptions = {},
): ForwardReturns | Promise<ForwardReturns> {
  rules.checkOptions("call forwardReturns()", options, RETURN_RULES);
  const preset = presetOf("forwardReturns", options.compat);
  const asked = { ...preset, ...options };
  if (typeof prices === "string") {
    // The columns read from a file have the standard names, whatever they are called there.
    const columns = { date: "date", ticker: "ticker", close: "close", open: "close" };
    const { frequency, calendar, labels, still } = options;
    const { date, ticker, close, open } = options.columns ?? {};
    const price = options.price === "open" ? open ?? "open" : close;
    const isOwn = typeof calendar === "object" || preset.calendar === "own";
    const read = { date, ticker, close: price, frequency, labels, still };
    const all = { ...read, calendar: isOwn ? "own" : calendar };
    return readPrices(prices, givenOptions<ReadPricesOptions>(all, all))
      .then((frame) => compute(adjustedPrices(frame, options), { ...asked, columns }));
  }
  assertRows(ACTION, prices, "prices");
  return compute(adjustedPrices(prices, options), asked);
}

function compute(frame: DataFrame, options: ForwardReturnsOptions): ForwardReturns {
  const { entryLag = 0, ended = "last", missing = "null", price = "close" } = options;
  const plan = readSessionRules(ACTION, options);
  const given = [options.periods ?? DEFAULT_PERIODS[plan.frequency].periods].flat();
  const periods = [...new Set(given)].toSorted((a, b) => a - b);
  const sessions = options.sessions === undefined
    ? plan
    : Int32Array.from(new Set(options.sessions.map(toEpochDay))).sort();
  const grid = toPriceGrid(frame, columnsOf(options), sessions);
  if (options.still !== true) refuseStill(ACTION, stillShare(grid));
  if (options.smoothed !== true) refuseSmoothed(ACTION, grid);
  const market = toPriceMarket(grid.days, options, stateOfCloses(frame));
  const quarter = Math.max(1, Math.round(FREQUENCIES[plan.frequency].perYear / QUARTERS));
  const { maxGap = missing === "pad" ? null : quarter } = options;
  const listings = listingsOf(grid, maxGap);
  const laid: WindowRules = { entryLag, missing, ended, listings };
  const windows = new Map(periods.map((h) => [h, windowReturns(grid, h, laid)]));
  const kept: { data?: ForwardReturns["data"]; notes?: ForwardReturns["notes"] } = {};
  const result: ForwardReturns = {
    ...displayParts(() => describeReturns(result), () => ({ data: result.data })),
    get data() {
      return kept.data ??= toReturnsFrame(grid, windows);
    },
    get notes() {
      return kept.notes ??= toPriceNotes(grid, maxGap, listings);
    },
    sessions: [...grid.days].map(fromEpochDay),
    market,
    periods,
    entryLag,
    price,
    grid,
    windows,
    marks: () => priceMarks(grid, laid),
  };
  return result;
}

function toReturnsFrame(
  { days, tickers, present }: PriceGrid,
  windows: ReadonlyMap<number, WindowReturns>,
): TypedFrame<ReturnColumns> {
  const cells = Int32Array.from(present.keys()).filter((cell) => present[cell] === 1);
  const names = tickers.length;
  return framed(pl.DataFrame([
    dayColumn("session", cells.map((cell) => days[Math.floor(cell / names)]!)),
    textColumn("ticker", cells.map((cell) => cell % names), tickers),
    ...[...windows].flatMap(([horizon, { values, why }]) => [
      numberColumn(`return_${horizon}`, Float64Array.from(cells, (cell) => values[cell]!)),
      textColumn(`why_${horizon}`, cells.map((cell) => why[cell]!), WINDOW_REASONS),
    ]),
  ]));
}

function columnsOf({ columns = {}, price = "close" }: ForwardReturnsOptions) {
  const { date = "date", ticker = "ticker" } = columns;
  return { date, ticker, price: columns[price] ?? price };
}

/** Number of returns by horizon in sentences: whole ones, those that end early, missing ones. */
function describeReturns({ sessions, grid, windows, notes, market }: ForwardReturns): string {
  const head = `${sampleText(sessions, grid.tickers.length)}.`;
  const lines = [...windows].map(([horizon, { why }]) => {
    const counts: [number, number, number] = [0, 0, 0];
    for (let cell = 0; cell < why.length; cell++) {
      if (grid.present[cell] === 1) counts[Math.min(why[cell]!, 2) as 0 | 1 | 2]++;
    }
    const [plain, ended, none] = counts;
    return `At ${countText(horizon, "session")}, ${countText(plain, "return")} ` +
      `${plain === 1 ? "is" : "are"} whole, ${groupThousands(ended)} ` +
      `${ended === 1 ? "ends" : "end"} early, at a last close, ${groupThousands(none)} ` +
      `${none === 1 ? "is" : "are"} missing.`;
  });
  const found = notes.height === 0
    ? []
    : [`The frame notes lists ${countText(notes.height, "finding")} on the prices.`];
  return periodText([head, ...lines, ...found].join("\n"), market.unit);
}

/**
 * Refuses anything but a result of `forwardReturns()`.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param call A call that returns it
 */
export function assertReturns(
  action: string,
  returns: unknown,
  call: string,
): asserts returns is ForwardReturns {
  const given = returns as Partial<ForwardReturns> | null | undefined;
  if (given?.windows instanceof Map && given.grid !== undefined) return;
  throw new TypeError(
    `Cannot ${action}: expected the result of forwardReturns(), got ${describe(returns)}; call ` +
      `${call}`,
  );
}

/** Marks of every session and ticker of the prices, from the entry of each session on. */
function priceMarks(grid: PriceGrid, plan: WindowRules): Marks {
  const { days, tickers } = grid;
  const { entryLag, ended, missing } = plan;
  const [width, sessions] = [tickers.length, days.length];
  const prices = missing === "pad" ? padded(grid) : grid.prices;
  const priced = new Uint8Array((sessions + 1) * width);
  const moves = new Float64Array(sessions * width).fill(NaN);
  const ends = new Uint8Array(sessions * width);
  const marks = new Float64Array(width).fill(NaN);
  const begun = new Set(plan.listings.relisted.map(({ first, ticker }) => first * width + ticker));
  for (let s = 0; s < sessions; s++) {
    const d = s - entryLag;
    for (let name = 0; name < width; name++) {
      const price = prices[s * width + name]!;
      if (price !== price) continue;
      if (begun.has(s * width + name)) marks[name] = NaN;
      if (d >= 0) priced[d * width + name] = 1;
      if (d >= 1) moves[(d - 1) * width + name] = price / marks[name]! - 1;
      marks[name] = price;
    }
  }
  const until = width === 0 ? 0 : Math.floor(priced.lastIndexOf(1) / width);
  for (const [session, name] of endings(plan)) {
    const cell = (session - entryLag) * width + name;
    if (cell < 0 || session >= sessions - 1) continue;
    ends[cell] = 1;
    moves[cell] = typeof ended === "object" ? ended.return : 0;
  }
  return { moves, priced, ends, until };
}

/** The sessions and tickers from which on a position is cash. */
function endings(
  { listings, missing, ended }: WindowRules,
): readonly (readonly [number, number])[] {
  // Without a rule for them, stocks that ended are told from those whose close comes back by later prices alone.
  return missing === "pad" || ended === "null"
    ? listings.relisted.map(({ first, ticker }) => [first - 1, ticker] as const)
    : listings.lasts.flatMap((lasts, name) => lasts.map((last) => [last, name] as const));
}
