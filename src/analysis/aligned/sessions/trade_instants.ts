import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { earlyCloseOf } from "../../../base/calendar/holidays.ts";
import { listSessions } from "../../../base/calendar/list_sessions.ts";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { newYorkMs } from "../../../base/calendar/new_york.ts";
import { readDayColumn, readInstantColumn } from "../../table/read_columns.ts";
import type { ForwardReturns } from "../prices/forward_returns.ts";

const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;
// Ages beyond ten years are treated alike.
const MAX_DAYS_BEFORE = 3_660;

/** Instants of a session: of its trade, and of its close, at which scores with its date are known. */
export interface SessionInstants {
  /** Trading instant of each session, its close or its open; epoch milliseconds, ascending. */
  readonly trades: Float64Array;
  /** Close of each session, epoch milliseconds. */
  readonly closes: Float64Array;
  /** Number of sessions before the first one that traded later than an instant: those of the calendar, or of the US market. */
  tradesBefore(ms: number): number;
}

/**
 * The instants of the sessions of returns: New York 16:00 or the early close, in UTC, with daylight saving; or those of a
 * calendar.
 *
 * @param calendar `date`, `open_at`, `close_at`; `null` for those of the returns
 * @param hasInstants True if they are compared with instants, and not only with dates
 * @throws {RangeError} If the calendar lacks a session, its instants do not ascend, or the closing times of the market
 * are needed and were not given
 */
export function sessionInstants(
  { grid: { days }, price, market }: Pick<ForwardReturns, "grid" | "price" | "market">,
  calendar: DataFrame | null,
  hasInstants: boolean,
): SessionInstants {
  const told = calendar ?? market.calendar;
  if (told === "own" && hasInstants) throw noCloses();
  const own = typeof told === "string" ? null : readCalendar(told);
  const closeOf = own?.close ?? usClose;
  const openOf = own?.open ?? ((day: number) => newYorkMs(day, OPEN_MINUTE));
  const closes = Float64Array.from(days, closeOf);
  const trades = price === "close" ? closes : Float64Array.from(days, openOf);
  const wrong = trades.findIndex((ms, i) => !(ms > (trades[i - 1] ?? -Infinity)));
  const earlier = () => own?.before(days, price) ?? usTradesBefore(days, price);
  if (wrong === -1) return { trades, closes, tradesBefore: countLater(earlier) };
  throw new RangeError(
    `Cannot align scores: expected a calendar with ascending instants for every session, got ` +
      `${trades[wrong]} for ${fromEpochDay(days[wrong]!)}; add the session to the calendar`,
  );
}

// At 16:00 in New York, Tokyo closed fifteen hours ago.
function noCloses(): RangeError {
  return new RangeError(
    'Cannot align scores: expected the closes of the sessions, because prices with calendar: "own" ' +
      "meet scores with instants, got none; give the calendar as a frame with date, open_at and close_at",
  );
}

/** A date without trading in New York takes the usual closing time. */
function usClose(day: number): number {
  return newYorkMs(day, earlyCloseOf(day) ?? CLOSE_MINUTE);
}

/** Counts the instants that are later than one; they are computed at the first call. */
function countLater(make: () => Float64Array): (ms: number) => number {
  let instants: Float64Array | null = null;
  return (ms) =>
    (instants ??= make()).reduce((count, instant) => count + (instant > ms ? 1 : 0), 0);
}

function usTradesBefore(days: Int32Array, price: "close" | "open"): Float64Array {
  const end = days[0] ?? 0;
  const sessions = listSessions(end - MAX_DAYS_BEFORE, end);
  return Float64Array.from(sessions, ({ openMs, closeMs }) => price === "close" ? closeMs : openMs);
}

function refuseWrong(
  days: Int32Array,
  opens: Float64Array,
  closes: Float64Array,
  places: ReadonlyMap<number, number>,
): void {
  for (const [row, day] of days.entries()) {
    const isLast = places.get(day) === row;
    if (isLast && opens[row]! < closes[row]!) continue;
    throw new RangeError(
      `Cannot align scores: expected a calendar with each session once, which opens before it closes, got ` +
        `${fromEpochDay(day)} ${isLast ? "that closes first" : "twice"} in row ${row}`,
    );
  }
}

function readCalendar(calendar: DataFrame) {
  const action = "align scores";
  assertFrame(`${action} by a calendar`, calendar);
  const days = readDayColumn(action, calendar, "date");
  const opens = readInstantColumn(action, calendar, "open_at");
  const closes = readInstantColumn(action, calendar, "close_at");
  const places = new Map([...days].map((day, i) => [day, i]));
  refuseWrong(days, opens, closes, places);
  const from = (instants: Float64Array) => (day: number) => instants[places.get(day) ?? -1] ?? NaN;
  const before = (sessions: Int32Array, price: "close" | "open") =>
    (price === "close" ? closes : opens).filter((_, i) => days[i]! < (sessions[0] ?? 0));
  return { open: from(opens), close: from(closes), before };
}
