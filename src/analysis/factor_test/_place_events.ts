import {
  missingValue,
  readDayColumn,
  readInstantColumn,
  readTexts,
} from "../table/read_columns.ts";
import type { DataFrame } from "nodejs-polars";
import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { sessionInstants } from "../aligned/sessions/trade_instants.ts";
import { placesOfDays } from "../dense/days.ts";

/** Stock and session of an event, as indices into the prices. */
export interface PlacedEvent {
  /** The session. */
  readonly session: number;
  /** The ticker. */
  readonly column: number;
}

/** Events whose session and ticker are in the prices, and the number of the others. */
export interface PlacedEvents {
  /** By session and ticker; two events of a stock in one session are one. */
  readonly events: readonly PlacedEvent[];
  /** Number of events whose session or ticker is not in the prices. */
  readonly unplaced: number;
}

/** Rules for assigning instants to sessions. */
export interface PlacingRules {
  /** Milliseconds between an instant and the moment from which it can be used. */
  readonly delayMs: number;
  /** `date`, `open_at`, `close_at` of each session; `null` for the US market. */
  readonly calendar: DataFrame | null;
}

/**
 * Assigns events to sessions: a date to its own, an instant to the first session that trades strictly later.
 *
 * @throws {TypeError} If a column is missing, or a value in it
 * @throws {RangeError} If no event has a session and a ticker of the prices
 */
export function placeEvents(
  action: string,
  events: DataFrame,
  of: { readonly returns: ForwardReturns; readonly rules: PlacingRules },
): PlacedEvents {
  const { grid } = of.returns;
  const { names, codes } = readTexts(action, events, "ticker");
  const missing = codes.indexOf(-1);
  if (missing !== -1) {
    throw missingValue(action, "a ticker", missing);
  }
  const columns = new Map(grid.tickers.map((ticker, column) => [ticker, column]));
  const { sessions, texts } = sessionsOf(action, events, of);
  const placed = new Map<string, PlacedEvent>();
  const lost = new Set<string>();
  for (const [row, session] of sessions.entries()) {
    const ticker = names[codes[row]!]!;
    const column = columns.get(ticker) ?? -1;
    if (session === -1 || column === -1) lost.add(`${texts(row)} ${ticker}`);
    else placed.set(`${session} ${column}`, { session, column });
  }
  if (placed.size === 0 && lost.size > 0) throw nothingPlaced(action, [...lost], of.returns);
  const sorted = [...placed.values()]
    .toSorted((a, b) => a.session - b.session || a.column - b.column);
  return { events: sorted, unplaced: lost.size };
}

interface Sessions {
  /** The session of each row; -1 for none. */
  readonly sessions: Int32Array;
  /** Time of the event of a row, as text. */
  texts(row: number): string;
}

function sessionsOf(
  action: string,
  events: DataFrame,
  { returns, rules }: Parameters<typeof placeEvents>[2],
): Sessions {
  const { grid } = returns;
  if (!events.columns.includes("at")) {
    const days = readDayColumn(action, events, "session");
    return {
      sessions: days.map(grid.sessionOf).map(placesOfDays(grid.days)),
      texts: (row) => fromEpochDay(days[row]!),
    };
  }
  const instants = readInstantColumn(action, events, "at");
  const missing = instants.findIndex(Number.isNaN);
  if (missing !== -1) {
    throw missingValue(action, "an instant in the column at", missing);
  }
  const { trades } = sessionInstants(returns, rules.calendar, true);
  const sessions = Int32Array.from(instants, (at) => {
    const usable = at + rules.delayMs;
    // Before the first date of the prices, the event may belong to a session that they lack.
    const isBefore = usable < (grid.days[0] ?? Infinity) * DAY_MS;
    return isBefore ? -1 : trades.findIndex((trade) => trade > usable);
  });
  return { sessions, texts: (row) => instantOf(instants[row]!) };
}

function nothingPlaced(
  action: string,
  lost: readonly string[],
  { sessions, grid }: ForwardReturns,
): RangeError {
  return new RangeError(
    `Cannot ${action}: expected events in sessions and tickers of the prices, got none; compare ` +
      `both: the events have ${lost.slice(0, 3).join(", ")}, the prices ` +
      `${grid.tickers.slice(0, 3).join(", ")} from ${sessions[0]} to ${sessions.at(-1)}`,
  );
}
