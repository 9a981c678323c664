import type { DataFrame } from "nodejs-polars";
import { DAY_MS, fromEpochDay } from "../../calendar/civil_date.ts";
import { instantOf } from "../../contract/instant.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { sessionInstants } from "../aligned/trade_instants.ts";
import { placesOfDays } from "../dense/days.ts";
import { readDays, readInstants, readTexts } from "../table/read_columns.ts";

/** A name and the session to which its event belongs, as places in the prices. */
export interface PlacedEvent {
  /** The session. */
  readonly session: number;
  /** The ticker. */
  readonly column: number;
}

/** The events that have a session and a ticker of the prices, and how many have none. */
export interface PlacedEvents {
  /** By session and ticker; two events of a name in one session are one. */
  readonly events: readonly PlacedEvent[];
  /** How many have no session or ticker of the prices. */
  readonly unplaced: number;
}

/** How instants are brought to sessions. */
export interface PlacingRules {
  /** Minutes between an instant and the moment from which it can be used. */
  readonly delayMinutes: number;
  /** `date`, `open_at`, `close_at` of each session; `null` for the US market. */
  readonly calendar: DataFrame | null;
}

/**
 * Brings events to sessions: a date to its own, an instant to the first session that trades strictly later.
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
    throw new TypeError(
      `Cannot ${action}: a ticker in every row is required, row ${missing} has none`,
    );
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
  /** When the event of a row was, as text. */
  texts(row: number): string;
}

function sessionsOf(
  action: string,
  events: DataFrame,
  { returns: { grid, price }, rules }: Parameters<typeof placeEvents>[2],
): Sessions {
  if (!events.columns.includes("at")) {
    const days = readDays(action, events, "session");
    return {
      sessions: days.map(placesOfDays(grid.days)),
      texts: (row) => fromEpochDay(days[row]!),
    };
  }
  const instants = readInstants(action, events, "at");
  const missing = instants.findIndex(Number.isNaN);
  if (missing !== -1) {
    throw new TypeError(
      `Cannot ${action}: an instant in every row of at is required, row ${missing} has none`,
    );
  }
  const { trades } = sessionInstants(grid.days, price, rules.calendar);
  const sessions = Int32Array.from(instants, (at) => {
    const usable = at + rules.delayMinutes * 60_000;
    // Before the first date of the prices it may belong to a session that they do not have.
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
    `Cannot ${action}: events of sessions and tickers of the prices are required, none is; the ` +
      `events have ${lost.slice(0, 3).join(", ")}, the prices ` +
      `${grid.tickers.slice(0, 3).join(", ")} from ${sessions[0]} to ${sessions.at(-1)}`,
  );
}
