import type { DataFrame } from "nodejs-polars";
import { DAY_MS, fromEpochDay } from "../../base/calendar/civil_date.ts";
import { instantOf } from "../../base/contract/instant.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { sessionInstants } from "../aligned/sessions/place_sets.ts";
import { lastNotAfter } from "../../base/contract/scores/last_not_after.ts";
import { columnsOf, placesOfDays } from "../dense/days.ts";
import {
  missingValue,
  readDayColumn,
  readInstantColumn,
  readNumbers,
  readTexts,
} from "../table/read_columns.ts";
import { everyInstant, KNOWN_COLUMNS } from "../table/score_columns.ts";

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

export const ACTION = "average returns around events";

/** Time from which an event can be used: after a delay in milliseconds, by the sessions of a calendar or the US market. */
interface Usable {
  readonly delayMs?: number;
  readonly calendar?: DataFrame;
}

/**
 * Assigns events to sessions: a date to its own, an instant to the first session that trades strictly later. Of two events of a
 * stock in one session the later one counts.
 *
 * @param score Column of the scores; `null` for events without
 * @throws {TypeError} If a column is missing, or a value in it
 * @throws {RangeError} If no event has a session and a ticker of the prices
 */
export function placeEvents(
  events: DataFrame,
  returns: ForwardReturns,
  score: string | null,
  options: Usable,
): Readonly<{ events: readonly PlacedEvent[]; unplaced: number }> {
  const { grid } = returns;
  const { names, codes } = readTexts(ACTION, events, "ticker");
  const missing = codes.indexOf(-1);
  if (missing !== -1) throw missingValue(ACTION, "a ticker", missing);
  const scores = score === null ? null : readNumbers(ACTION, events, score);
  const columnOf = columnsOf(grid.tickers, names);
  const { known, places, text } = timesOf(events, returns, options);
  const placed = new Map<number, PlacedEvent>();
  const lost = new Set<string>();
  for (const [row, code] of codes.entries()) {
    const [session, column] = [places[row]!, columnOf[code]!];
    const [time, own] = [known[row]!, scores?.[row] ?? NaN];
    if (session === -1 || column === -1) {
      lost.add(`${text(time)} ${names[code]}`);
      continue;
    }
    const key = session * grid.tickers.length + column;
    const other = placed.get(key);
    if (other?.known === time && !Object.is(other.score, own)) {
      throw new TypeError(
        `Cannot ${ACTION}: expected one score for ${names[code]} at ${text(time)}, got ` +
          `${other.score} and ${own}; keep the one that was valid`,
      );
    }
    if (!(other && other.known >= time)) {
      placed.set(key, { session, column, score: own, known: time });
    }
  }
  if (placed.size === 0 && lost.size > 0) throw nothingPlaced([...lost], returns);
  const sorted = [...placed.values()]
    .toSorted((a, b) => a.session - b.session || a.column - b.column);
  return { events: sorted, unplaced: lost.size };
}

function nothingPlaced(lost: readonly string[], { sessions, grid }: ForwardReturns): RangeError {
  return new RangeError(
    `Cannot ${ACTION}: expected events in sessions and tickers of the prices, got none; compare ` +
      `both: the events have ${lost.slice(0, 3).join(", ")}, the prices ` +
      `${grid.tickers.slice(0, 3).join(", ")} from ${sessions[0]} to ${sessions.at(-1)}`,
  );
}

/** Times of the events: as numbers in order, as sessions (-1 for none), and as text. */
function timesOf(events: DataFrame, returns: ForwardReturns, { delayMs = 0, calendar }: Usable) {
  const { days, sessionOf } = returns.grid;
  const at = KNOWN_COLUMNS.find((name) => events.columns.includes(name));
  if (at === undefined) {
    const known = readDayColumn(ACTION, events, "session");
    const placeOf = placesOfDays(days);
    return { known, places: known.map((day) => placeOf(sessionOf(day))), text: fromEpochDay };
  }
  const known = everyInstant(ACTION, at, readInstantColumn(ACTION, events, at));
  const ascending = Array.from(sessionInstants(returns, calendar ?? null, true).trades);
  // Before the first date of the prices, the event may belong to a session that they lack.
  const start = (days[0] ?? Infinity) * DAY_MS;
  const places = Int32Array.from(known, (ms) => {
    const place = lastNotAfter(ascending, ms + delayMs, Number) + 1;
    return ms + delayMs < start || place === ascending.length ? -1 : place;
  });
  return { known, places, text: instantOf };
}

/**
 * The quantile of each event among the events of the trailing sessions, by its score or its change since the stock's event before; 0
 * where there are fewer of them than quantiles. Ties stay together, as in `quantize()`.
 */
export function trailingQuantiles(
  events: readonly PlacedEvent[],
  window: number,
  { quantiles, by = "score" }: { readonly quantiles: number; readonly by?: "score" | "change" },
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
