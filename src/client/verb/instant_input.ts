import { type Instant, instantOf, parseInstant } from "../../contract/instant.ts";
import { ContractViolation } from "../../contract/violation.ts";

/** A point in time as people have it: RFC 3339 text with `Z` or an offset, a `Date`, or a `Temporal.Instant`. */
export type InstantInput = string | Date | Temporal.Instant;

/**
 * The canonical instant of what a caller gave; digits beyond the millisecond are cut off.
 *
 * @param name Name of the option, for the message
 * @throws {TypeError} If it is neither text nor a time
 * @throws {RangeError} If it is no real time, or text without `Z` or an offset
 */
export function toInstant(value: InstantInput, name = "at"): Instant {
  try {
    if (value instanceof Date && !Number.isNaN(value.getTime())) return instantOf(value.getTime());
    if (value instanceof Temporal.Instant) return instantOf(value.epochMilliseconds);
    return parseInstant(value, name);
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    const received = value instanceof Date ? "a Date of no time" : error.received;
    const message =
      `Cannot use ${name}: expected ${error.required}, such as 2026-11-19T15:00:00Z, or a Date ` +
      `or Temporal.Instant, got ${received}`;
    const isTime = typeof value === "string" || value instanceof Date;
    throw isTime ? new RangeError(message) : new TypeError(message);
  }
}
