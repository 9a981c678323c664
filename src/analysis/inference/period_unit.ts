import { FREQUENCIES, seenFrequency } from "../../frames/prices/dates/frequency.ts";

/**
 * Name of one period of a series: session, week, month. Values of every fifth session have weekly dates, so dates of values
 * alone identify daily data only; others are called periods.
 *
 * @param days The dates, ascending
 * @param areAll True if the dates are all sessions of the prices
 */
export function periodUnit(days: Int32Array, areAll: boolean): string {
  if (days.length < 2) return FREQUENCIES.daily.unit;
  const seen = seenFrequency(days);
  return seen !== null && (areAll || seen === "daily") ? FREQUENCIES[seen].unit : "period";
}
