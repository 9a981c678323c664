import { WEEKDAY, weekdayOf } from "../../../base/calendar/civil_date.ts";

const DAYS_BEFORE_1970 = 719468;
const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days from 1970-01-01 to a date, or the fault of its text: its form, or a day that does not exist. */
export type SessionDayResult = { readonly day: number } | { readonly fault: "form" | "day" };

/** Parses `YYYY-MM-DD` as an existing day. */
export function parseSessionDay(text: string): SessionDayResult {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return { fault: "form" };
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > monthLength(year, month)) {
    return { fault: "day" };
  }
  return { day: daysFromCivil(year, month, day) };
}

/** True if a day is a Saturday or Sunday, on which no market is open. */
export function isWeekend(epochDay: number): boolean {
  const weekday = weekdayOf(epochDay);
  return weekday === WEEKDAY.sunday || weekday === WEEKDAY.saturday;
}

// The proleptic Gregorian calendar, counted from March so that the leap day ends the year.
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * 146097 + dayOfEra - DAYS_BEFORE_1970;
}

function monthLength(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : MONTH_LENGTHS[month - 1]!;
}
