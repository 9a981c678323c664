import { type CalendarDate, isCalendarDate } from "../contract/instant.ts";
import { describe } from "../contract/violation.ts";
import { DAY_MS } from "../calendar/civil_date.ts";
import { numbers, type Rule } from "./check_options.ts";

/** Delay between knowledge and use: from a minute to 31 days. */
export const DELAY: Rule<number> = durationOf({
  least: 60_000,
  most: 31 * 86_400_000,
  example: "15 * 60_000",
});

/**
 * A calendar date as people have it: text as `2026-11-19`, a `Temporal.PlainDate`, or a `Date` at midnight UTC, as
 * Polars gives the values of a column of dates.
 */
export type DateInput = string | Date | Temporal.PlainDate;

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

/** Limits of a duration. */
interface DurationBounds {
  /** The shortest one beside 0, in milliseconds: less is a number of seconds, minutes or days. */
  readonly least: number;
  /** The longest one, in milliseconds. */
  readonly most: number;
  /** Example of one. */
  readonly example: string;
  /**
   * Allows negative values.
   *
   * @default false
   */
  readonly isSigned?: boolean;
}

/** A duration in milliseconds, as every option has whose name ends in `Ms`. */
export function durationOf(
  { least, most, example, isSigned = false }: DurationBounds,
): Rule<number> {
  const range = `0 or from ${least} to ${most} milliseconds`;
  const signed = isSigned ? ", before or after" : "";
  return numbers(
    `${range}${signed}, such as ${example}, and no number of minutes or days`,
    (value) => {
      const length = isSigned ? Math.abs(value) : value;
      return value === 0 || (length >= least && length <= most);
    },
    example,
  );
}
