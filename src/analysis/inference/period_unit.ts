import { FREQUENCIES, seenFrequency } from "../../prices/dates/frequency.ts";

/**
 * Name of one period of a series: session, week, month. Values of every fifth session have the dates of weeks, so that
 * dates of values alone tell only that they are daily; others are called periods.
 *
 * @param days The dates, ascending
 * @param areAll True if the dates are all sessions of the prices
 */
export function periodUnit(days: Int32Array, areAll: boolean): string {
  if (days.length < 2) return FREQUENCIES.daily.unit;
  const seen = seenFrequency(days);
  return seen !== null && (areAll || seen === "daily") ? FREQUENCIES[seen].unit : "period";
}
