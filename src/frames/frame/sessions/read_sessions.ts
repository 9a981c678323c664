import { type DateInput, toCalendarDate } from "../../../base/arguments/date_input.ts";
import {
  type EpochDay,
  fromEpochDay,
  toEpochDay,
  yearMonthOf,
} from "../../../base/calendar/civil_date.ts";
import {
  CALENDAR_YEARS,
  listSessions,
  type Session,
} from "../../../base/calendar/list_sessions.ts";

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
export function readDay(action: string, name: string, value: DateInput): EpochDay {
  const date = toCalendarDate(action, name, value);
  const day = toEpochDay(date);
  const { year } = yearMonthOf(day);
  const { first, last } = CALENDAR_YEARS;
  if (year >= first && year <= last) return day;
  throw new RangeError(
    `Cannot ${action}: expected ${name} in the years ${first} to ${last} of the calendar, got ${date}`,
  );
}
