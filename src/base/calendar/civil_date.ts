import type { CalendarDate } from "../contract/instant.ts";

/** Length of a day. */
export const DAY_MS = 86_400_000;

/** Length of an hour. */
export const HOUR_MS = 3_600_000;

/** A calendar date as the number of days since 1970-01-01. */
export type EpochDay = number;

/** Day of the week of {@link weekdayOf}. */
export const WEEKDAY = { sunday: 0, monday: 1, thursday: 4, friday: 5, saturday: 6 } as const;

/** The day number of a year, a month (1 to 12; others run over) and a day of the month. */
export function epochDayOf(year: number, month: number, day: number): EpochDay {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** The day number of a calendar date. */
export function toEpochDay(date: CalendarDate): EpochDay {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8))) /
    DAY_MS;
}

/** The calendar date of a day number. */
export function fromEpochDay(day: EpochDay): CalendarDate {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Year and month (1 to 12) of a day number. */
export function yearMonthOf(day: EpochDay): { readonly year: number; readonly month: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1 };
}

/** Day of the week, 0 for Sunday. */
export function weekdayOf(day: EpochDay): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The nth given weekday of a month, counted from its start. */
export function nthWeekday(year: number, month: number, weekday: number, nth: number): EpochDay {
  const first = epochDayOf(year, month, 1);
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
}

/** The last given weekday of a month. */
export function lastWeekday(year: number, month: number, weekday: number): EpochDay {
  const last = epochDayOf(year, month + 1, 1) - 1;
  return last - ((weekdayOf(last) - weekday + 7) % 7);
}

/** A number for the calendar week (from Monday on) or the month of a day, which grows with time. */
export function calendarSpan(day: EpochDay, period: "week" | "month"): number {
  if (period === "week") return Math.floor((day - WEEKDAY.monday + 4) / 7);
  const { year, month } = yearMonthOf(day);
  return 12 * year + month;
}

/** A time as text, without a zone; one beyond the years of JavaScript as milliseconds. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime())
    ? `${ms} ms after 1970`
    : date.toISOString().replace(/(\.000)?Z$/, "");
}
