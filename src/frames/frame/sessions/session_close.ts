import type { DateInput } from "../../../base/arguments/date_input.ts";
import { type EpochDay, fromEpochDay, weekdayOf } from "../../../base/calendar/civil_date.ts";
import { EXTRAORDINARY_CLOSURES } from "../../../base/calendar/holidays.ts";
import { listSessions } from "../../../base/calendar/list_sessions.ts";
import { readDay } from "./read_sessions.ts";

const ACTION = "give the close of a session";
// No closure of the exchange since 1962 was longer.
const SEARCHED_DAYS = 10;
/** Names of the weekdays, Sunday first. */
export const WEEKDAYS: readonly string[] = [
  ...["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
];

/**
 * Close of a session of the US market: 16:00 in New York, or earlier on a short session.
 *
 * `scores()` and `panel()` accept the `Date` as `at`. Sends nothing.
 *
 * @param date Date of the session: text as `2026-11-19`, a `Temporal.PlainDate`, or a `Date` at midnight UTC
 * @throws {TypeError} If it is not a date
 * @throws {RangeError} If the market was closed on that day, or the calendar does not cover it
 * @example
 * ```ts
 * import { sessionClose } from "scoreframe";
 *
 * const close = sessionClose("2026-11-27"); // the short day after Thanksgiving
 * if (close.toISOString() !== "2026-11-27T18:00:00.000Z") throw new Error("13:00 in New York expected");
 * ```
 */
export function sessionClose(date: DateInput): Date {
  const day = readDay(ACTION, "date", date);
  const [session] = listSessions(day, day + 1);
  if (session !== undefined) return new Date(session.closeMs);
  const before = listSessions(day - SEARCHED_DAYS, day).at(-1)?.date;
  const after = listSessions(day, day + SEARCHED_DAYS)[0]?.date;
  const near = [before && `${before} before`, after && `${after} after it`].filter(Boolean);
  throw new RangeError(
    `Cannot ${ACTION}: expected a session of the US market, got ${fromEpochDay(day)}, ` +
      `${whyClosed(day)}; the nearest sessions are ${near.join(" and ")}`,
  );
}

function whyClosed(day: EpochDay): string {
  const weekday = WEEKDAYS[weekdayOf(day)]!;
  const special = EXTRAORDINARY_CLOSURES[fromEpochDay(day)];
  if (special !== undefined) return `a ${weekday} on which it was closed (${special})`;
  return weekday.startsWith("S") ? `a ${weekday}` : `a ${weekday} and a holiday`;
}
