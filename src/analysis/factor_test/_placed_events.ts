import type { DataFrame } from "nodejs-polars";
import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { sessionInstants } from "../aligned/sessions/place_sets.ts";
import { lastNotAfter } from "../../base/contract/scores/last_not_after.ts";
import { placesOfDays } from "../dense/days.ts";
import {
  missingValue,
  readDayColumn,
  readInstantColumn,
  readNumbers,
  readTexts,
} from "../table/read_columns.ts";
import { KNOWN_COLUMNS } from "../table/score_columns.ts";

/** An event at its place in the prices. */
export interface PlacedEvent {
  /** Index of the session in which it can first be traded. */
  readonly session: number;
  /** Index of its ticker. */
  readonly column: number;
  /** Its score; NaN for none. */
  readonly score: number;
  /** When it was known, for order within a session. */
  readonly known: number;
}

/** Rules for reading events. */
export interface EventRules {
  readonly returns: ForwardReturns;
  /** Column of the scores; `null` for events without. */
  readonly score: string | null;
  /** Milliseconds between an instant and the moment from which it can be used. */
  readonly delayMs: number;
  /** `date`, `open_at`, `close_at` of each session; `null` for the US market. */
  readonly calendar: DataFrame | null;
}

/**
 * Assigns events to sessions: a date to its own, an instant to the first session that trades strictly later. Of two events of a
 * stock in one session the later one counts.
 *
 * @throws {TypeError} If a column is missing, or a value in it
 * @throws {RangeError} If no event has a session and a ticker of the prices
 */
export function placeEvents(
  action: string,
  events: DataFrame,
  of: EventRules,
): Readonly<{ events: readonly PlacedEvent[]; unplaced: number }> {
  const { grid } = of.returns;
  const { names, codes } = readTexts(action, events, "ticker");
  const missing = codes.indexOf(-1);
  if (missing !== -1) throw missingValue(action, "a ticker", missing);
  const scores = of.score === null ? null : readNumbers(action, events, of.score);
  const columns = new Map(grid.tickers.map((ticker, column) => [ticker, column]));
  const { known, sessionOf, text } = timesOf(action, events, of);
  const placed = new Map<number, PlacedEvent>();
  const lost = new Set<string>();
  for (const [row, code] of codes.entries()) {
    const column = columns.get(names[code]!) ?? -1;
    const [session, score] = [sessionOf(row), scores?.[row] ?? NaN];
    if (session === -1 || column === -1) {
      lost.add(`${text(row)} ${names[code]}`);
      continue;
    }
    const key = session * grid.tickers.length + column;
    const other = placed.get(key);
    if (other?.known === known[row] && !Object.is(other!.score, score)) {
      throw twoScores(action, `${names[code]} at ${text(row)}`, [other!.score, score]);
    }
    if (other === undefined || other.known < known[row]!) {
      placed.set(key, { session, column, score, known: known[row]! });
    }
  }
  if (placed.size === 0 && lost.size > 0) throw nothingPlaced(action, [...lost], of.returns);
  const sorted = [...placed.values()]
    .toSorted((a, b) => a.session - b.session || a.column - b.column);
  return { events: sorted, unplaced: lost.size };
}

function twoScores(action: string, which: string, scores: readonly number[]): TypeError {
  return new TypeError(
    `Cannot ${action}: expected one score for ${which}, got ${
      scores.join(" and ")
    }; keep the one that was valid`,
  );
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

/** Times of the events: as numbers in order, as sessions (-1 for none), and as text. */
function timesOf(action: string, events: DataFrame, { returns, delayMs, calendar }: EventRules) {
  const { grid } = returns;
  const at = KNOWN_COLUMNS.find((name) => events.columns.includes(name));
  if (at === undefined) {
    const days = readDayColumn(action, events, "session");
    const placeOf = placesOfDays(grid.days);
    return {
      known: days,
      sessionOf: (row: number) => placeOf(grid.sessionOf(days[row]!)),
      text: (row: number): string => fromEpochDay(days[row]!),
    };
  }
  const instants = readInstantColumn(action, events, at);
  const missing = instants.findIndex(Number.isNaN);
  if (missing !== -1) throw missingValue(action, `an instant in the column ${at}`, missing);
  const ascending = Array.from(sessionInstants(returns, calendar, true).trades);
  // Before the first date of the prices, the event may belong to a session that they lack.
  const start = (grid.days[0] ?? Infinity) * DAY_MS;
  const sessionOf = (row: number) => {
    const usable = instants[row]! + delayMs;
    const place = lastNotAfter(ascending, usable, Number) + 1;
    return usable < start || place === ascending.length ? -1 : place;
  };
  return { known: instants, sessionOf, text: (row: number): string => instantOf(instants[row]!) };
}

/**
 * The quantile of each event among the events of the trailing sessions, by its score or its change since the stock's event before; 0
 * where there are fewer of them than quantiles. Ties stay together, as in `quantize()`.
 */
export function trailingQuantiles(
  events: readonly PlacedEvent[],
  { quantiles, window, by }: {
    readonly quantiles: number;
    readonly window: number;
    readonly by: "score" | "change";
  },
): Int32Array {
  const before = new Map<number, number>();
  const values = events.map(({ column, score }) => {
    const change = score - (before.get(column) ?? NaN);
    before.set(column, score);
    return by === "score" ? score : change;
  });
  // The values of the window, ascending.
  const held: number[] = [];
  const upTo = (value: number) => lastNotAfter(held, value, Number) + 1;
  let [first, end] = [0, 0];
  return Int32Array.from(events, ({ session }, i) => {
    const own = values[i]!;
    for (; events[first]!.session <= session - window; first++) {
      if (!Number.isNaN(values[first]!)) held.splice(upTo(values[first]!) - 1, 1);
    }
    for (; end < events.length && events[end]!.session <= session; end++) {
      if (!Number.isNaN(values[end]!)) held.splice(upTo(values[end]!), 0, values[end]!);
    }
    const n = held.length;
    const last = upTo(own);
    let below = last;
    while (held[below - 1] === own) below--;
    if (own !== own || n < Math.max(2, quantiles)) return 0;
    // Twice the mean rank less two.
    const rank = below + last - 1;
    return Math.max(1, Math.ceil(quantiles * rank / (2 * (n - 1))));
  });
}
