import { type Rule, ruleBy } from "../../base/arguments/check_options.ts";
import {
  type Instant,
  instantOf,
  isCalendarDate,
  parseInstant,
} from "../../base/contract/instant.ts";
import { ContractViolation, describe } from "../../base/contract/violation.ts";

/**
 * A point in time: RFC 3339 text with `Z` or an offset, a `Date`, a `Temporal.Instant` or `Temporal.ZonedDateTime`, or epoch
 * milliseconds. Every verb accepts all of them.
 */
export type InstantInput = string | number | Date | Temporal.Instant | Temporal.ZonedDateTime;

/** A point in time. */
export const INSTANT: Rule<InstantInput> = ruleBy(
  "an instant",
  (_, value: InstantInput, name) => toInstant(value, name),
);

// Smaller numbers are epoch seconds (until the year 5138); as milliseconds they would be in or before 1973.
const LEAST_MS = 1e11;
const LARGEST_MS = 8.64e15;

/**
 * Canonical instant of a caller's value; digits beyond the millisecond are cut off.
 *
 * @param name Name of the option, for the message
 * @throws {TypeError} If it is not a real time, is a date alone, or is text without `Z` or an offset
 * @throws {RangeError} If a number cannot be epoch milliseconds
 */
export function toInstant(value: InstantInput, name = "at"): Instant {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return instantOf(value.getTime());
  if (value instanceof Temporal.Instant || value instanceof Temporal.ZonedDateTime) {
    return instantOf(value.epochMilliseconds);
  }
  if (typeof value === "number") return ofNumber(value, name);
  const instant = instantOrNull(value, name);
  if (instant !== null) return instant;
  throw notAnInstant(value, name);
}

function instantOrNull(value: unknown, name?: string): Instant | null {
  try {
    return parseInstant(value, name);
  } catch (error) {
    if (error instanceof ContractViolation) return null;
    throw error;
  }
}

function ofNumber(value: number, name: string): Instant {
  if (value >= LEAST_MS && value <= LARGEST_MS) return instantOf(value);
  const hint = value >= LEAST_MS / 1000 && value < LEAST_MS
    ? "; multiply epoch seconds by 1000"
    : value > 1e17
    ? "; divide epoch nanoseconds by 1,000,000"
    : "";
  throw new RangeError(
    `Cannot use the option ${name}: expected epoch milliseconds, such as 1795100400000, got ${value}${hint}`,
  );
}

// Common near misses: a blank for the T, no seconds, no zone, or an offset without its colon.
const NEARLY =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|z|UTC|[+-]\d{2}:?\d{2})?$/;

/** Advice for a text that is almost an instant; empty for any other value. */
function repairOf(value: unknown): string {
  if (Array.isArray(value)) return "; panel() takes several instants";
  if (value === null) return "; omit it for the latest";
  const text = value instanceof Temporal.PlainDateTime
    ? value.toString({ calendarName: "never" })
    : value;
  const found = typeof text === "string" ? NEARLY.exec(text) : null;
  const [, date, minute, second = ":00", zone = ""] = found ?? [];
  const local = `${date}T${minute}${second}`;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : "Z";
  if (found === null || instantOrNull(`${local}${offset}`) === null) return "";
  if (zone !== "") return `; use "${local}${offset}"`;
  const there = Temporal.PlainDateTime.from(local).toZonedDateTime("America/New_York").offset;
  return ` without a time zone; add Z for UTC, as in "${local}Z", or the offset, as in ` +
    `"${local}${there}" for New York`;
}

function notAnInstant(value: unknown, name: string): TypeError {
  const expected =
    "expected RFC 3339 text with Z or an offset, such as 2026-11-19T15:00:00Z, a Date, " +
    "a Temporal.Instant or epoch milliseconds";
  const date = dateOf(value);
  if (date === null) {
    const got = value instanceof Date
      ? "an invalid Date"
      : value instanceof Temporal.PlainDateTime
      ? JSON.stringify(value.toString({ calendarName: "never" }))
      : describe(value);
    return new TypeError(
      `Cannot use the option ${name}: ${expected}, got ${got}${repairOf(value)}`,
    );
  }
  return new TypeError(
    `Cannot use the option ${name}: ${expected}, got the date ${date} without a time; use ` +
      `sessionClose("${date}") for the close of that session, or "${date}T00:00:00Z"`,
  );
}

function dateOf(value: unknown): string | null {
  if (value instanceof Temporal.PlainDate) return value.toString({ calendarName: "never" });
  return isCalendarDate(value) ? value : null;
}
