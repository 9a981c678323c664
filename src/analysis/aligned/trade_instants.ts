import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { earlyCloseOf } from "../../calendar/holidays.ts";
import { newYorkMs } from "../../calendar/new_york.ts";
import { readDays, readInstants } from "../table/read_columns.ts";

const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;

/** The instants of a session that matter: when it can be traded, and when what bears its date is known. */
export interface SessionInstants {
  /** When each session trades, epoch milliseconds, ascending: its close, or its open. */
  readonly trades: Float64Array;
  /** When each session closes, epoch milliseconds. */
  readonly closes: Float64Array;
}

/**
 * The instants of sessions: New York 16:00 or the early close, in UTC, with daylight saving; or those of a calendar.
 *
 * @param days The sessions, ascending
 * @param calendar `date`, `open_at`, `close_at`; `null` for the US market
 * @throws {RangeError} If the calendar lacks a session, or its instants do not ascend
 */
export function sessionInstants(
  days: Int32Array,
  price: "close" | "open",
  calendar: DataFrame | null,
): SessionInstants {
  const own = calendar === null ? null : readCalendar(calendar);
  const closeOf = own?.close ?? usClose;
  const openOf = own?.open ?? ((day: number) => newYorkMs(day, OPEN_MINUTE));
  const closes = Float64Array.from(days, closeOf);
  const trades = price === "close" ? closes : Float64Array.from(days, openOf);
  const wrong = trades.findIndex((ms, i) => !(ms > (trades[i - 1] ?? -Infinity)));
  if (wrong === -1) return { trades, closes };
  throw new RangeError(
    `Cannot align scores: a calendar with ascending instants of every session is required, got ` +
      `${trades[wrong]} for ${fromEpochDay(days[wrong]!)}; add the session to the calendar`,
  );
}

/** A date on which New York does not trade closes when its days usually do. */
function usClose(day: number): number {
  return newYorkMs(day, earlyCloseOf(day) ?? CLOSE_MINUTE);
}

function readCalendar(calendar: DataFrame) {
  const action = "align scores";
  const days = readDays(action, calendar, "date");
  const opens = readInstants(action, calendar, "open_at");
  const closes = readInstants(action, calendar, "close_at");
  const places = new Map([...days].map((day, i) => [day, i]));
  const from = (instants: Float64Array) => (day: number) => instants[places.get(day) ?? -1] ?? NaN;
  return { open: from(opens), close: from(closes) };
}
