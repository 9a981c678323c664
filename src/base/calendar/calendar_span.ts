import { type EpochDay, WEEKDAY, yearMonthOf } from "./civil_date.ts";

/** A number for the calendar week (from Monday on) or the month of a day, which grows with time. */
export function calendarSpan(day: EpochDay, period: "week" | "month"): number {
  if (period === "week") return Math.floor((day - WEEKDAY.monday + 4) / 7);
  const { year, month } = yearMonthOf(day);
  return 12 * year + month;
}
