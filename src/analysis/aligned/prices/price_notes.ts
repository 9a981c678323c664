import { WEEKDAY, weekdayOf } from "../../../base/calendar/civil_date.ts";
import type { Listings } from "./listings.ts";
import {
  checkValues,
  FEWEST_MOVES,
  type ValueKind,
} from "../../../frames/prices/values/check_values.ts";
import type { PriceGrid } from "./price_grid.ts";
import { medianOf } from "../../../base/statistics/moments.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const NOTE_COLUMNS = {
  session: "date",
  ticker: "text",
  what: "text",
  value: "number",
} as const;

// No market is near it; returns over two sessions have 0.5.
const SMOOTHED = 0.3;
// A larger share of weekend sessions is normal for the market and gets no note.
const FEW = 0.05;

/** Kinds of notes on prices. */
export type PriceNoteKind =
  | ("jump" | "resumed" | "relisted" | "missing_session" | "stray_date" | "weekend" | "running")
  | ValueKind;

interface Note {
  /** The session; the first one for a note on all of them. */
  readonly session: number;
  readonly ticker: string | null;
  readonly what: PriceNoteKind;
  readonly value: number;
}

/** Closes by session, and what their dates say of the sessions. */
export type NotedGrid = Pick<
  PriceGrid,
  "days" | "tickers" | "prices" | "missingDays" | "strayDays" | "runningDay"
>;

/**
 * Possible errors and gaps in the prices: one row per finding, by session and ticker. Nothing is changed.
 *
 * @param maxGap Sessions after which a stock without a close has ended; `null` if none ends so
 */
export function toPriceNotes(
  grid: NotedGrid,
  maxGap: number | null = null,
  { relisted }: Pick<Listings, "relisted"> = { relisted: [] },
): TableFrame<typeof NOTE_COLUMNS> {
  const onDays = (what: PriceNoteKind, days: readonly number[]): readonly Note[] =>
    days.map((session) => ({ session, ticker: null, what, value: NaN }));
  const notes = [
    ...onDays("missing_session", grid.missingDays),
    ...onDays("stray_date", grid.strayDays),
    ...onDays("weekend", fewWeekends(grid)),
    ...(grid.runningDay === null ? [] : onDays("running", [grid.runningDay])),
    ...relisted.map(({ ticker, last, first }): Note => ({
      ...{ session: grid.days[first]!, ticker: grid.tickers[ticker]!, what: "relisted" },
      value: first - last - 1,
    })),
    ...valueNotes(grid, maxGap ?? Infinity),
  ].toSorted((a, b) => a.session - b.session);
  return tableOfRows(notes, NOTE_COLUMNS, {
    value: ({ value }) => Number.isNaN(value) ? null : value,
  });
}

// Prices that end inside a gap give returns to the last close, which change when later prices arrive.
function valueNotes({ days, tickers, prices }: NotedGrid, maxGap: number): readonly Note[] {
  const names = tickers.length;
  const found = checkValues({
    sessions: days.length,
    tickers: names,
    // From one close to the next.
    longestGap: maxGap + 1,
    visit: (take) => {
      for (const [cell, price] of prices.entries()) {
        if (price === price) take(cell % names, Math.floor(cell / names), price, NaN);
      }
    },
  });
  return found.filter(({ what, value }) => what !== "gap" || value <= maxGap)
    .map(({ what, session, ticker, value }) => ({
      what: what === "gap" ? "resumed" : what,
      session: days[session ?? 0]!,
      ticker: ticker === null ? null : tickers[ticker]!,
      value,
    }));
}

/** Share of the closes that equal the one of the session before; 0 if there are too few to say. */
export function stillShare({ tickers, prices }: PriceGrid): number {
  let [moves, still] = [0, 0];
  for (let cell = tickers.length; cell < prices.length; cell++) {
    const [before, price] = [prices[cell - tickers.length]!, prices[cell]!];
    if (before !== before || price !== price) continue;
    moves++;
    if (before === price) still++;
  }
  return moves < FEWEST_MOVES ? 0 : still / moves;
}

/**
 * Refuses prices whose one-session returns depend on each other in most stocks, as returns over several sessions and means of closes do.
 *
 * @throws {RangeError} If their first autocorrelation is above 0.3
 */
export function refuseSmoothed(action: string, { tickers, prices }: PriceGrid): void {
  const width = tickers.length;
  const found = tickers.flatMap((_, name) => firstAutocorrelation(prices, width, name));
  if (found.length === 0 || found.filter((one) => one > SMOOTHED).length <= found.length / 2) {
    return;
  }
  const typical = medianOf(found);
  const sessions = Math.max(2, Math.round(1 / (1 - Math.min(0.99, typical))));
  throw new RangeError(
    `Cannot ${action}: expected returns of one session, which hardly depend on the one before (closes of a market have a first ` +
      `autocorrelation of −0.05 to 0.05), got ${decimalText(typical, 2)} in the median of ${
        countText(found.length, "ticker")
      }, as ` +
      `returns over ${sessions} sessions on each date have, or closes that are a mean of about ${sessions}; give returns of one ` +
      "session each, or closes as traded, or smoothed: true where values are appraised and move so",
  );
}

/** The first autocorrelation of the one-session returns of a stock; none with few of them. */
function firstAutocorrelation(
  prices: Float64Array,
  width: number,
  name: number,
): readonly number[] {
  let [n, sum, square, product, before] = [0, 0, 0, 0, NaN];
  for (let cell = width + name; cell < prices.length; cell += width) {
    const gain = prices[cell]! / prices[cell - width]! - 1;
    if (gain === gain) {
      sum += gain;
      square += gain * gain;
      if (before === before) product += gain * before;
      n++;
    }
    before = gain;
  }
  const mean = sum / n;
  const variance = square / n - mean * mean;
  return n < FEWEST_MOVES || !(variance > 0) ? [] : [(product / n - mean * mean) / variance];
}

function fewWeekends({ days }: NotedGrid): readonly number[] {
  const found = [...days].filter((day) =>
    weekdayOf(day) === WEEKDAY.saturday || weekdayOf(day) === WEEKDAY.sunday
  );
  return found.length > FEW * days.length && found.length > 1 ? [] : found;
}
