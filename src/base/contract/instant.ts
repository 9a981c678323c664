import { ContractViolation } from "./violation.ts";

/**
 * A point in time as canonical text: UTC with millisecond precision, `2026-11-19T15:00:00.000Z`. Instants compare like their
 * texts.
 */
export type Instant = string;

/** A calendar date as text, `2026-11-19`. */
export type CalendarDate = string;

// RFC 3339, section 5.6. Temporal itself also accepts a blank for the T, no seconds, basic format and zone names.
const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
// The form of nearly every instant that is read; Date reads it in a tenth of the time of Temporal.
const USUAL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const CANONICAL_LENGTH = "2026-11-19T15:00:00.000Z".length;

/**
 * Reads an RFC 3339 date-time with `Z` or any offset; digits beyond the millisecond are cut off.
 *
 * @throws {ContractViolation} If the text is not an RFC 3339 date-time, has no offset, or names no real time
 * @see API document, sections 2.2 and 4.3
 */
export function parseInstant(value: unknown, path = "instant"): Instant {
  const usual = readUsual(value);
  if (usual !== null) return usual;
  const required = "an RFC 3339 date-time with Z or an offset";
  const match = typeof value === "string" ? RFC_3339.exec(value) : null;
  if (match === null) throw new ContractViolation(path, required, value);
  const [, date, time, fraction = "", zone = "Z"] = match;
  try {
    const instant = Temporal.Instant.from(
      `${date}T${time}${fraction.slice(0, 10)}${zone.toUpperCase()}`,
    );
    const text = instant.toString({ fractionalSecondDigits: 3, roundingMode: "floor" });
    if (text.length === CANONICAL_LENGTH && !isImpossibleSecond(time, text)) return text;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ContractViolation(path, required, value);
}

// Date moves a day or an hour that there is not to the next one: such a text, like one of another form, is read by Temporal.
function readUsual(value: unknown): Instant | null {
  if (typeof value !== "string" || !USUAL.test(value)) return null;
  const epochMs = Date.parse(value);
  if (Number.isNaN(epochMs)) return null;
  const whole = value.length === CANONICAL_LENGTH ? value : `${value.slice(0, -1)}.000Z`;
  return new Date(epochMs).toISOString() === whole ? whole : null;
}

// Leap seconds are inserted at the end of a UTC day only; Temporal reads any :60 as :59.
function isImpossibleSecond(time: string | undefined, instant: Instant): boolean {
  return time?.endsWith(":60") === true && !instant.includes("T23:59:59");
}

/** Milliseconds since 1970-01-01T00:00Z of a canonical instant. */
export function epochMsOf(instant: Instant): number {
  return Temporal.Instant.from(instant).epochMilliseconds;
}

/** The canonical instant of a number of milliseconds since 1970-01-01T00:00Z. */
export function instantOf(epochMs: number): Instant {
  // A tenth of the time of Temporal for the same text; the server writes one for every request.
  return new Date(Math.floor(epochMs)).toISOString();
}

/**
 * Reads a calendar date `YYYY-MM-DD`.
 *
 * @throws {ContractViolation} If the text has another form or names no real day
 */
export function parseCalendarDate(value: unknown, path = "date"): CalendarDate {
  if (isCalendarDate(value)) return value;
  throw new ContractViolation(path, "a date of the form YYYY-MM-DD", value);
}

/** True if the value is a real calendar date `YYYY-MM-DD`. */
export function isCalendarDate(value: unknown): value is CalendarDate {
  if (typeof value !== "string" || !DATE.test(value)) return false;
  try {
    Temporal.PlainDate.from(value);
    return true;
  } catch {
    return false;
  }
}
