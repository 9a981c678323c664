import { type CalendarDate, isCalendarDate } from "../contract/instant.ts";
import { describe } from "../contract/violation.ts";

/**
 * A calendar date as people have it: text as `2026-11-19`, a `Temporal.PlainDate`, or a `Date` at midnight UTC, as
 * Polars gives the values of a column of dates.
 */
export type DateInput = string | Date | Temporal.PlainDate;

const DAY_MS = 86_400_000;

/**
 * The calendar date of what a caller gave.
 *
 * @param action Action that needs the date, worded to follow "Cannot"
 * @param name Name of the argument, for the message
 * @throws {TypeError} If it is not a real date, or is a time of a day, whose date depends on the time zone
 */
export function toCalendarDate(action: string, name: string, value: DateInput): CalendarDate {
  if (isCalendarDate(value)) return value;
  if (value instanceof Temporal.PlainDate) return value.toString({ calendarName: "never" });
  if (value instanceof Date && value.getTime() % DAY_MS === 0) {
    return value.toISOString().slice(0, 10);
  }
  throw new TypeError(
    `Cannot ${action}: expected "${name}" to be a date such as "2026-11-19", a Temporal.PlainDate or ` +
      `a Date at midnight UTC, got ${shown(value)}`,
  );
}

function shown(value: unknown): string {
  if (!(value instanceof Date)) return describe(value);
  return Number.isNaN(value.getTime()) ? "an invalid Date" : `the Date ${value.toISOString()}`;
}
