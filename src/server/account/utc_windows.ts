import { DAY_MS } from "../../base/calendar/civil_date.ts";

/** Length of a minute. */
export const MINUTE_MS = 60_000;

/** Minutes since 1970-01-01T00:00Z. */
export function minuteOf(nowMs: number): number {
  return Math.floor(nowMs / MINUTE_MS);
}

/** Minutes of a time's UTC day: the first one, and the one after the last. */
export function minutesOfDay(nowMs: number): { readonly first: number; readonly end: number } {
  return { first: minuteOf(dayEndMs(nowMs) - DAY_MS), end: minuteOf(dayEndMs(nowMs)) };
}

/** End of a time's UTC clock minute, epoch milliseconds. */
export function minuteEndMs(nowMs: number): number {
  return (minuteOf(nowMs) + 1) * MINUTE_MS;
}

/** End of a time's UTC day, epoch milliseconds. */
export function dayEndMs(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
}

/** Whole seconds until the end of a window, at least one, for `Retry-After`. */
export function secondsUntil(endOf: (nowMs: number) => number, nowMs: number): number {
  return Math.max(1, Math.ceil((endOf(nowMs) - nowMs) / 1000));
}
