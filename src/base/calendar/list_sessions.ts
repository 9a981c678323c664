import type { CalendarDate } from "../contract/instant.ts";
import {
  type EpochDay,
  epochDayOf,
  fromEpochDay,
  WEEKDAY,
  weekdayOf,
  yearMonthOf,
} from "./civil_date.ts";
import { earlyCloseOf, EXTRAORDINARY_CLOSURES, holidaysOf } from "./holidays.ts";
import { newYorkMs } from "./new_york.ts";

/** First and last year that the rules cover. */
export const CALENDAR_YEARS = { first: 1962, last: 2060 } as const;

const OPEN = 9 * 60 + 30;
const FULL_CLOSE = 16 * 60;
// Until then the exchange opened at 10:00 and closed at 15:30.
const EARLIER_OPEN = { until: epochDayOf(1985, 9, 30), minute: 10 * 60 };
const EARLIER_CLOSE = { until: epochDayOf(1974, 1, 1), minute: 15 * 60 + 30 };

/** One session of the US market. */
export interface Session {
  /** Its date. */
  readonly date: CalendarDate;
  /** Its open, 09:30 in New York, or 10:00 until September 1985, epoch milliseconds. */
  readonly openMs: number;
  /** Its close, epoch milliseconds. */
  readonly closeMs: number;
  /** True if it closes earlier than usual: before 16:00 in New York, or 15:30 until 1973. */
  readonly isShort: boolean;
}

/** The sessions from one day up to another, which is not included; days outside of {@link CALENDAR_YEARS} have none. */
export function listSessions(from: EpochDay, end: EpochDay): readonly Session[] {
  return listSessionDays(from, end).map((day) => ({
    date: fromEpochDay(day),
    openMs: newYorkMs(day, day < EARLIER_OPEN.until ? EARLIER_OPEN.minute : OPEN),
    closeMs: closeMsOfDay(day),
    isShort: earlyCloseOf(day) !== null,
  }));
}

/** The days of {@link listSessions}, ascending. */
export function listSessionDays(from: EpochDay, end: EpochDay): readonly EpochDay[] {
  const first = Math.max(from, epochDayOf(CALENDAR_YEARS.first, 1, 1));
  const last = Math.min(end, epochDayOf(CALENDAR_YEARS.last + 1, 1, 1)) - 1;
  const days: EpochDay[] = [];
  let holidays: readonly EpochDay[] = [];
  let yearEnd = first;
  for (let day = first; day <= last; day++) {
    if (day >= yearEnd) {
      const { year } = yearMonthOf(day);
      holidays = holidaysOf(year);
      yearEnd = epochDayOf(year + 1, 1, 1);
    }
    const weekday = weekdayOf(day);
    if (weekday === WEEKDAY.saturday || weekday === WEEKDAY.sunday) continue;
    if (holidays.includes(day) || fromEpochDay(day) in EXTRAORDINARY_CLOSURES) continue;
    days.push(day);
  }
  return days;
}

/** Close of the session of a day, epoch milliseconds. */
export function closeMsOfDay(day: EpochDay): number {
  const full = day < EARLIER_CLOSE.until ? EARLIER_CLOSE.minute : FULL_CLOSE;
  return newYorkMs(day, earlyCloseOf(day) ?? full);
}
