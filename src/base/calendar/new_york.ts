import {
  DAY_MS,
  type EpochDay,
  epochDayOf,
  HOUR_MS,
  lastWeekday,
  nthWeekday,
  WEEKDAY,
  yearMonthOf,
} from "./civil_date.ts";

const MINUTE_MS = 60_000;

/**
 * The instant of a wall-clock time in New York, in epoch milliseconds.
 *
 * Computed from the rules since 1962, because a lookup in the time-zone data costs fifty times as much.
 * Valid from 02:00 on, when a change of the clocks has happened.
 */
export function newYorkMs(day: EpochDay, minuteOfDay: number): number {
  return day * DAY_MS + minuteOfDay * MINUTE_MS + offsetHours(day) * HOUR_MS;
}

/** The calendar day in New York at an instant. */
export function newYorkDay(epochMs: number): EpochDay {
  const standard = Math.floor((epochMs - 5 * HOUR_MS) / DAY_MS);
  // In the last hour before standard midnight, the summer clock already shows the next day.
  return Math.floor((epochMs - offsetHours(standard) * HOUR_MS) / DAY_MS);
}

function offsetHours(day: EpochDay): 4 | 5 {
  return isSummerTime(day) ? 4 : 5;
}

function isSummerTime(day: EpochDay): boolean {
  const { year, month } = yearMonthOf(day);
  if (year === 1974 || year === 1975) {
    // In the oil crisis the clocks changed in winter.
    const crisis = year === 1974 ? epochDayOf(1974, 1, 6) : epochDayOf(1975, 2, 23);
    return day >= crisis && day < lastWeekday(year, 10, WEEKDAY.sunday);
  }
  if (month < 3 || month === 12) return false;
  if (month > 4 && month < 10) return true;
  if (year >= 2007) {
    return day >= nthWeekday(year, 3, WEEKDAY.sunday, 2) &&
      day < nthWeekday(year, 11, WEEKDAY.sunday, 1);
  }
  const first = year >= 1987
    ? nthWeekday(year, 4, WEEKDAY.sunday, 1)
    : lastWeekday(year, 4, WEEKDAY.sunday);
  return day >= first && day < lastWeekday(year, 10, WEEKDAY.sunday);
}
