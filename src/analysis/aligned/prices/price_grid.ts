import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import {
  datesToSessions,
  type SessionRules,
} from "../../../frames/prices/dates/dates_to_sessions.ts";
import { FREQUENCIES } from "../../../frames/prices/dates/frequency.ts";
import {
  LARGEST_PRICE as LARGEST,
  SMALLEST_PRICE as SMALLEST,
} from "../../../frames/prices/values/check_values.ts";
import { NO_TICKER_ADVICE } from "../../../frames/prices/source/price_rows.ts";
import { sayAlike } from "../near_tickers.ts";
import { distinctDays, placesOfDays } from "../../dense/days.ts";
import { readDayColumn, readNumbers, readTexts, type TextCodes } from "../../table/read_columns.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import type { Reason } from "../../reason.ts";

/** Prices as sessions × tickers; the price of ticker `t` in session `d` is at index `d * tickers.length + t`. */
export interface PriceGrid {
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** The price; NaN where there is none. */
  readonly prices: Float64Array;
  /** 1 where the frame has a row, priced or not. */
  readonly present: Uint8Array;
  /** Dates that are not sessions, whose rows are left out, ascending, in days since 1970-01-01. */
  readonly strayDays: readonly number[];
  /** Sessions on which no ticker has a row, ascending, in days since 1970-01-01. */
  readonly missingDays: readonly number[];
  /** The last date, inside a period that is not over, whose rows are left out; `null` without one. */
  readonly runningDay: number | null;
  /** The session to which a date belongs, in days since 1970-01-01; -1 for none. */
  sessionOf(day: number): number;
}

/** Sessions of the prices: from the rules of a market, or as a list. */
type GridSessions = SessionRules | Int32Array;

const ACTION = "compute forward returns";

/**
 * Lays out a frame of prices.
 *
 * @param sessions The sessions, ascending, or the rules that map dates to them
 * @param others Further tickers that get a column, even without a row in the frame
 * @throws {TypeError} If a column is missing or of another type, a ticker is null, or a date and ticker repeat
 * @throws {RangeError} If a price is out of range, or the dates are not the sessions
 */
export function toPriceGrid(
  frame: DataFrame,
  columns: Readonly<{ date: string; ticker: string; price: string }>,
  sessions: GridSessions,
): PriceGrid {
  const dates = readDayColumn(ACTION, frame, columns.date);
  const tickers = readTexts(ACTION, frame, columns.ticker);
  refuseNoTicker(tickers, dates);
  sayAlike("Tickers of the prices", tickers.names);
  const values = readNumbers(ACTION, frame, columns.price);
  const { days, sessionOf, ...brought } = readSessions(distinctDays(dates), sessions, () => {
    const most = mostOf(tickers.codes);
    return distinctDays(dates.filter((_, row) => tickers.codes[row] === most));
  });
  const placeOf = placesOfDays(days);
  const names = tickers.names.length;
  const prices = new Float64Array(days.length * names).fill(NaN);
  const present = new Uint8Array(prices.length);
  let strayRows = 0;
  let session = -1;
  for (let row = 0; row < dates.length; row++) {
    if (row === 0 || dates[row] !== dates[row - 1]) session = placeOf(sessionOf(dates[row]!));
    if (session === -1) {
      strayRows++;
      continue;
    }
    const ticker = tickers.codes[row]!;
    const cell = session * names + ticker;
    if (present[cell] === 1) throw repeated(dates[row]!, tickers.names[ticker]!, sessions);
    const value = values[row]!;
    if (value <= 0 || value > LARGEST || value < SMALLEST) {
      const place = `${fromEpochDay(dates[row]!)} for ${tickers.names[ticker]}`;
      throw impossible(columns.price, value, place);
    }
    present[cell] = 1;
    prices[cell] = value;
  }
  if (strayRows > 0 && strayRows === dates.length) throw noSession(dates, days);
  return { days, tickers: tickers.names, prices, present, sessionOf, ...brought };
}

/** The code that occurs most often. */
function mostOf(codes: Int32Array): number {
  const counts = new Map<number, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].reduce((most, next) => next[1] > most[1] ? next : most)[0];
}

// Tickers may end on several days of a month, so that the dates of all have no spacing.
function readSessions(dates: Int32Array, sessions: GridSessions, daysOfOne: () => Int32Array) {
  if (sessions instanceof Int32Array) {
    const named = new Set(sessions);
    return {
      days: sessions,
      sessionOf: (day: number) => day,
      strayDays: [...dates].filter((day) => !named.has(day)),
      missingDays: [],
      runningDay: null,
    };
  }
  const brought = datesToSessions(
    ACTION,
    dates,
    sessions,
    sessions.frequency === "daily" ? dates : daysOfOne(),
  );
  return {
    days: brought.sessions,
    sessionOf: brought.sessionOf,
    strayDays: brought.strays.filter((day) => day !== brought.running),
    runningDay: brought.running,
    missingDays: brought.missing,
  };
}

function refuseNoTicker({ codes }: TextCodes, dates: Int32Array): void {
  const row = codes.indexOf(-1);
  if (row === -1) return;
  const count = codes.reduce((sum, code) => sum + (code === -1 ? 1 : 0), 0);
  throw new TypeError(
    `Cannot ${ACTION}: expected a ticker in every row, got ${groupThousands(count)} ` +
      `${count === 1 ? "row" : "rows"} without (the first is row ${row}, ` +
      `${fromEpochDay(dates[row]!)}); ${NO_TICKER_ADVICE}`,
  );
}

function repeated(day: number, ticker: string, sessions: GridSessions): TypeError {
  const { unit } = FREQUENCIES[sessions instanceof Int32Array ? "daily" : sessions.frequency];
  const isDaily = unit === FREQUENCIES.daily.unit;
  return new TypeError(
    `Cannot ${ACTION}: expected one row per ${isDaily ? "date" : unit} and ticker, got several ` +
      `for ${fromEpochDay(day)} ${ticker}; ` +
      (isDaily
        ? "drop duplicates, or choose one source of prices"
        : `keep the last close of each ${unit}, or set the frequency of the prices`),
  );
}

function noSession(dates: Int32Array, days: Int32Array): RangeError {
  const spanOf = (some: Int32Array) =>
    some.length === 0 ? "none" : `${fromEpochDay(some[0]!)} to ${fromEpochDay(some.at(-1)!)}`;
  return new RangeError(
    `Cannot ${ACTION}: expected prices on the sessions, got none; the prices have the dates ` +
      `${spanOf(dates.toSorted())}, the sessions are ${spanOf(days)}`,
  );
}

function impossible(column: string, value: number, place: string): RangeError {
  const advice = value > 0
    ? "look for another unit or a number that was read wrongly"
    : "make it null if there was no trade";
  return new RangeError(
    `Cannot ${ACTION}: expected prices above 0, from ${SMALLEST} to ${LARGEST}, in the column ` +
      `${column}, got ${value} on ${place}; ${advice}`,
  );
}

/**
 * Spans of sessions in which each ticker names one stock. A stock without a close for longer than any halt has ended; what has the ticker
 * afterwards is another one, so that no return and no position crosses the gap.
 */
export interface Listings {
  /** The last session of each listing by ticker, ascending. */
  readonly lasts: readonly (readonly number[])[];
  /** First session of each listing that follows a gap, by session and ticker. */
  readonly relisted: readonly Relisted[];
}

/** A listing under a ticker that an ended one had: its first session, and the last one of the listing before it. */
type Relisted = Readonly<Record<"ticker" | "last" | "first", number>>;

/**
 * Finds the listings of each ticker.
 *
 * @param maxGap Sessions without a close after which a listing has ended; `null` if none ends so
 */
export function listingsOf({ prices, days, tickers }: PriceGrid, maxGap: number | null): Listings {
  const width = tickers.length;
  const last = new Int32Array(width).fill(-1);
  const lasts: number[][] = tickers.map(() => []);
  const relisted: Relisted[] = [];
  for (let d = 0; d < days.length; d++) {
    for (let t = 0; t < width; t++) {
      const price = prices[d * width + t]!;
      if (price !== price) continue;
      const before = last[t]!;
      if (maxGap !== null && before !== -1 && d - before - 1 > maxGap) {
        lasts[t]!.push(before);
        relisted.push({ ticker: t, last: before, first: d });
      }
      last[t] = d;
    }
  }
  for (const [t, final] of last.entries()) if (final !== -1) lasts[t]!.push(final);
  return { lasts, relisted };
}

/** Treatment of a window whose stock has its last close in the session of entry or later, and before the window ends. */
export type Ended = "last" | "null" | { readonly return: number };

/** Rules of return windows. */
export interface WindowRules {
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** Treatment of a missing close: null, or the last one before it. */
  readonly missing: "null" | "pad";
  /** Treatment of a window whose stock has its last close at its entry or inside it. */
  readonly ended: Ended;
  /** Spans in which each ticker names one stock. */
  readonly listings: Listings;
}

/** The forward returns of one horizon, laid out as the prices are. */
export interface WindowReturns {
  /** The return; NaN for null. */
  readonly values: Float64Array;
  /** Reason why the return is null or ends early, as an index into the reasons. */
  readonly why: Uint8Array;
}

/** Meaning of the codes in `why`; 0 is a plain return. */
export const WINDOW_REASONS: readonly (Reason | null)[] = [
  null,
  "ended",
  "no_entry_price",
  "beyond_prices",
  "no_exit_price",
];
/** Index of each reason. */
export const WHY = { plain: 0, ended: 1, noEntry: 2, beyond: 3, noExit: 4 } as const;

/** Returns over windows of a given number of sessions from the entry. */
export function windowReturns(grid: PriceGrid, horizon: number, rules: WindowRules): WindowReturns {
  const names = grid.tickers.length;
  const prices = rules.missing === "pad" ? padded(grid) : grid.prices;
  const found = { values: new Float64Array(prices.length), why: new Uint8Array(prices.length) };
  const { values } = found;
  const toEntry = rules.entryLag * names;
  const toExit = toEntry + horizon * names;
  const explain = explainer(prices, found, { toEntry, toExit, names }, rules);
  const whole = Math.max(0, prices.length - toExit);
  for (let cell = 0; cell < whole; cell++) {
    const gain = prices[cell + toExit]! / prices[cell + toEntry]! - 1;
    values[cell] = gain;
    if (gain !== gain) explain(cell);
  }
  for (let cell = whole; cell < values.length; cell++) explain(cell);
  // Both ends of these windows have a close, of two stocks.
  for (const { ticker, last, first } of rules.listings.relisted) {
    for (let entry = Math.max(rules.entryLag, first - horizon); entry <= last; entry++) {
      const cell = entry * names + ticker - toEntry;
      if (values[cell] === values[cell] && entry + horizon >= first) explain(cell);
    }
  }
  return found;
}

/** A function that records the reason why a cell has no plain return, and the return of a stock that ended. */
function explainer(
  prices: Float64Array,
  { values, why }: WindowReturns,
  { toEntry, toExit, names }: Readonly<Record<"toEntry" | "toExit" | "names", number>>,
  { ended, listings }: WindowRules,
) {
  return (cell: number): void => {
    const [entry, exit] = [cell + toEntry, cell + toExit];
    const paid = entry < prices.length ? prices[entry]! : NaN;
    values[cell] = NaN;
    if (entry >= prices.length) why[cell] = WHY.beyond;
    else if (paid !== paid) why[cell] = WHY.noEntry;
    else if (exit >= prices.length) why[cell] = WHY.beyond;
    else {
      why[cell] = WHY.noExit;
      const session = Math.floor(entry / names);
      const last = listings.lasts[cell % names]!.find((one) => one >= session) ?? Infinity;
      const end = last * names + cell % names;
      if (ended === "null" || !(end < exit)) return;
      const factor = ended === "last" ? 1 : 1 + ended.return;
      values[cell] = prices[end]! / paid * factor - 1;
      why[cell] = WHY.ended;
    }
  };
}

/** Prices with each gap filled by the last one before it. */
export function padded({ prices, tickers }: Pick<PriceGrid, "prices" | "tickers">): Float64Array {
  const names = tickers.length;
  const filled = prices.slice();
  for (let cell = names; cell < filled.length; cell++) {
    if (filled[cell] !== filled[cell]) filled[cell] = filled[cell - names]!;
  }
  return filled;
}
