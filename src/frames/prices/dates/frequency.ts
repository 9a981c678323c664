import { numbers, type Rule } from "../../../base/arguments/check_options.ts";
import {
  type EpochDay,
  epochDayOf,
  WEEKDAY,
  weekdayOf,
  yearMonthOf,
} from "../../../base/calendar/civil_date.ts";

/** Spacing of prices: one close per session, week, month, quarter or year. */
export type Frequency = "daily" | "weekly" | "monthly" | "quarterly" | "yearly";

/** Closes of a year, name of one period, and the usual gap between two dates in days, shortest and longest. */
export const FREQUENCIES = {
  daily: { perYear: 252, unit: "session", gap: [0, 4] },
  weekly: { perYear: 52, unit: "week", gap: [5, 10] },
  monthly: { perYear: 12, unit: "month", gap: [25, 35] },
  quarterly: { perYear: 4, unit: "quarter", gap: [80, 100] },
  yearly: { perYear: 1, unit: "year", gap: [350, 380] },
} as const satisfies Readonly<Record<Frequency, object>>;

/** Names of the frequencies. */
export const FREQUENCY_NAMES = Object.keys(FREQUENCIES) as readonly Frequency[];

/** Frequency of dates, from their median gap; `null` if it matches none, or there is no gap. */
export function seenFrequency(days: Int32Array): Frequency | null {
  const gap = medianGap(days);
  return FREQUENCY_NAMES.find((name) => {
    const [low, high] = FREQUENCIES[name].gap;
    return gap >= low && gap <= high;
  }) ?? null;
}

/** The median of the days between neighbouring dates, ascending; NaN if there are fewer than two dates. */
export function medianGap(days: Int32Array): number {
  const gaps = days.subarray(1).map((day, i) => day - days[i]!).sort();
  return gaps[Math.floor((gaps.length - 1) / 2)] ?? NaN;
}

/** The first and the last day of the week (Monday to Sunday), month, quarter or year of a day. */
export function periodOfDay(
  day: EpochDay,
  frequency: Frequency,
): { readonly first: EpochDay; readonly last: EpochDay } {
  if (frequency === "daily") return { first: day, last: day };
  if (frequency === "weekly") {
    const first = day - ((weekdayOf(day) + 6) % 7);
    return { first, last: first + 6 };
  }
  const { year, month } = yearMonthOf(day);
  const months = { monthly: 1, quarterly: 3, yearly: 12 }[frequency];
  const start = month - ((month - 1) % months);
  return { first: epochDayOf(year, start, 1), last: epochDayOf(year, start + months, 1) - 1 };
}

const LATE_DAY = 4;
const EARLY_END = 7;

/** `true` if all dates stand at the start of their period, where vendors label it though its close is that of its end. */
export function beginPeriods(days: Int32Array, frequency: Frequency): boolean {
  if (frequency === "weekly") return days.every((day) => weekdayOf(day) === WEEKDAY.monday);
  return days.every((day) => day - periodOfDay(day, frequency).first < LATE_DAY);
}

/** `true` if the last date lies further before the end of its period than any other: the period is not over. */
export function isRunning(days: Int32Array, frequency: Frequency): boolean {
  const left = [...days].map((day) => periodOfDay(day, frequency).last - day);
  // Weeks end on one weekday, or on the one before if that is a holiday.
  const latest = frequency === "weekly" ? 1 + Math.min(...left) : EARLY_END;
  return left.length > 1 && left.at(-1)! > latest &&
    left.slice(0, -1).every((rest) => rest <= latest);
}

const MOST_PER_YEAR = 366;

/** Periods of a year. */
export const PERIODS_PER_YEAR: Rule<number> = numbers(
  `a number above 0 and at most ${MOST_PER_YEAR}, such as 12 for monthly returns`,
  (value) => value > 0 && value <= MOST_PER_YEAR,
  "252",
);
