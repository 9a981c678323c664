import type { TableFrame } from "../typed/table_frame.ts";
import { type DateInput, toCalendarDate } from "../../../base/arguments/time_input.ts";
import { instantOf } from "../../../base/contract/instant.ts";
import { checkOptions, type OptionRules } from "../../../base/arguments/check_options.ts";
import {
  calendarSpan,
  type EpochDay,
  fromEpochDay,
  toEpochDay,
  WEEKDAY,
  weekdayOf,
  yearMonthOf,
} from "../../../base/calendar/civil_date.ts";
import {
  CALENDAR_YEARS,
  listSessions,
  type Session,
} from "../../../base/calendar/list_sessions.ts";
import { frameOfObjects } from "../typed/frame_of.ts";
import { EXTRAORDINARY_CLOSURES } from "../../../base/calendar/holidays.ts";

const COLUMNS = { date: "date", open: "instant", close: "instant", early_close: "flag" } as const;

/**
 * Sessions that are listed.
 *
 * @internal
 */
export interface SessionsOptions {
  /**
   * The first session of each calendar week or month between the dates, or every n-th session from the first one on.
   *
   * @default every session
   */
  readonly every?: "week" | "month" | number;
}

const RULES: OptionRules<SessionsOptions> = {
  every: {
    required: '"week", "month" or a whole number of sessions of at least 1',
    accepts: (value) =>
      value === "week" || value === "month" ||
      (Number.isSafeInteger(value) && (value as number) >= 1),
    isKind: (value) => typeof value === "number",
  },
};

const CLOSING = "give the close of a session";
// No closure of the exchange since 1962 was longer.
const SEARCHED_DAYS = 10;
/** Names of the weekdays, Sunday first. */
export const WEEKDAYS: readonly string[] = [
  ...["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
];

/**
 * Lists the sessions of the US market between two dates, both included, ascending.
 *
 * One row per session of the New York Stock Exchange. Columns: `date` (Date); `open` and `close` (Datetime in milliseconds,
 * UTC; 09:30 and 16:00 in New York unless the session is short); `early_close` (Boolean, true if the session closes before
 * 16:00). Holidays follow the rules of the exchange from 1962 to 2060; extraordinary closures are those known at the release of
 * this version. Sends nothing.
 *
 * @param from First date: text as `2026-11-19`, a `Temporal.PlainDate`, or a `Date` at midnight UTC
 * @param to Last date
 * @param options `every`: fewer of them
 * @returns The sessions (sessions × 4); no rows if the market was closed on all days
 * @throws {TypeError} If one is not a date, or an option does not exist
 * @throws {RangeError} If the calendar does not cover a date, or `to` is before `from`
 * @example
 * ```ts
 * import { sessions } from "scoreframe";
 *
 * const week = sessions("2026-11-23", "2026-11-27"); // Thanksgiving is on the 26th
 * if (week.height !== 4) throw new Error("four sessions expected");
 * ```
 */
export function sessions(
  from: DateInput,
  to: DateInput,
  options: SessionsOptions = {},
): TableFrame<typeof COLUMNS> {
  checkOptions("call sessions()", options, RULES);
  const rows = firstOfEach(readSessions("list the sessions", from, to), options.every ?? 1);
  return frameOfObjects(rows, COLUMNS, {
    open: ({ openMs }) => instantOf(openMs),
    close: ({ closeMs }) => instantOf(closeMs),
    early_close: ({ isShort }) => isShort,
  });
}

function firstOfEach(
  rows: readonly Session[],
  every: "week" | "month" | number,
): readonly Session[] {
  if (typeof every === "number") return rows.filter((_, i) => i % every === 0);
  const periods = rows.map(({ date }) => calendarSpan(toEpochDay(date), every));
  return rows.filter((_, i) => periods[i] !== periods[i - 1]);
}

/**
 * Sessions between two dates, both included.
 *
 * @param action Action that needs them, worded to follow "Cannot"
 * @throws {TypeError} If one is not a date
 * @throws {RangeError} If the calendar does not cover a date, or `to` is before `from`
 */
export function readSessions(action: string, from: DateInput, to: DateInput): readonly Session[] {
  const first = readDay(action, "from", from);
  const last = readDay(action, "to", to);
  if (first <= last) return listSessions(first, last + 1);
  throw new RangeError(
    `Cannot ${action}: expected an interval whose end is not before its start, got ` +
      `${fromEpochDay(first)} to ${fromEpochDay(last)}; swap them`,
  );
}

/**
 * Reads a day within the calendar.
 *
 * @throws {TypeError} If it is not a date
 * @throws {RangeError} If the calendar does not cover it
 */
function readDay(action: string, name: string, value: DateInput): EpochDay {
  const date = toCalendarDate(action, name, value);
  const day = toEpochDay(date);
  const { year } = yearMonthOf(day);
  const { first, last } = CALENDAR_YEARS;
  if (year >= first && year <= last) return day;
  throw new RangeError(
    `Cannot ${action}: expected ${name} in the years ${first} to ${last} of the calendar, got ${date}`,
  );
}

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
  const day = readDay(CLOSING, "date", date);
  const [session] = listSessions(day, day + 1);
  if (session !== undefined) return new Date(session.closeMs);
  const before = listSessions(day - SEARCHED_DAYS, day).at(-1)?.date;
  const after = listSessions(day, day + SEARCHED_DAYS)[0]?.date;
  const near = [before && `${before} before`, after && `${after} after it`].filter(Boolean);
  throw new RangeError(
    `Cannot ${CLOSING}: expected a session of the US market, got ${fromEpochDay(day)}, ` +
      `${whyClosed(day)}; the nearest sessions are ${near.join(" and ")}`,
  );
}

function whyClosed(day: EpochDay): string {
  const number = weekdayOf(day);
  const weekday = WEEKDAYS[number]!;
  const special = EXTRAORDINARY_CLOSURES[fromEpochDay(day)];
  if (special !== undefined) return `a ${weekday} on which it was closed (${special})`;
  const isWeekend = number === WEEKDAY.saturday || number === WEEKDAY.sunday;
  return isWeekend ? `a ${weekday}` : `a ${weekday} and a holiday`;
}
