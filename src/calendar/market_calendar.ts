import type { CalendarDate } from "../contract/instant.ts";
import {
  type EpochDay,
  epochDayOf,
  fromEpochDay,
  toEpochDay,
  WEEKDAY,
  weekdayOf,
} from "./civil_date.ts";
import { earlyCloseOf, EXTRAORDINARY_CLOSURES, holidaysOf } from "./holidays.ts";
import { newYorkMs } from "./new_york.ts";

/** First and last year that the rules cover. */
export const CALENDAR_YEARS = { first: 1990, last: 2060 } as const;

const FULL_CLOSE = 16 * 60;

/** One session of the US market. */
export interface Session {
  /** Its date. */
  readonly date: CalendarDate;
  /** When it closes, epoch milliseconds. */
  readonly closeMs: number;
  /** Whether it closes before 16:00 in New York. */
  readonly isShort: boolean;
}

/**
 * The sessions of the New York Stock Exchange from 1990 on: holidays by rule, early closes, and the
 * extraordinary closures that are known. A session is addressed by its index, 0 for the first one of 1990.
 */
export class MarketCalendar {
  readonly #days: readonly EpochDay[];
  readonly #closeMs: readonly number[];

  constructor() {
    this.#days = listSessionDays();
    this.#closeMs = this.#days.map((day) => newYorkMs(day, earlyCloseOf(day) ?? FULL_CLOSE));
  }

  /** Number of sessions that the calendar knows. */
  get length(): number {
    return this.#days.length;
  }

  /** The day of a session. */
  dayOf(index: number): EpochDay {
    return this.#at(this.#days, index);
  }

  /** The date of a session. */
  dateOf(index: number): CalendarDate {
    return fromEpochDay(this.dayOf(index));
  }

  /** When a session closes, epoch milliseconds. */
  closeMsOf(index: number): number {
    return this.#at(this.#closeMs, index);
  }

  /** The index of the first session on or after a day. */
  firstFrom(day: EpochDay): number {
    return lowerBound(this.#days, day);
  }

  /** The index of the last session that has closed at an instant; -1 before the first. */
  lastClosedAt(epochMs: number): number {
    return lowerBound(this.#closeMs, epochMs + 1) - 1;
  }

  /** The sessions from one date through another, both included. */
  between(from: CalendarDate, through: CalendarDate): readonly Session[] {
    const end = this.firstFrom(toEpochDay(through) + 1);
    const sessions: Session[] = [];
    for (let i = this.firstFrom(toEpochDay(from)); i < end; i++) {
      const day = this.dayOf(i);
      const isShort = earlyCloseOf(day) !== null;
      sessions.push({ date: fromEpochDay(day), closeMs: this.closeMsOf(i), isShort });
    }
    return sessions;
  }

  #at(values: readonly number[], index: number): number {
    const value = values[index];
    if (value !== undefined) return value;
    const { first, last } = CALENDAR_YEARS;
    throw new RangeError(
      `Cannot find session ${index}: expected a session of ${first} to ${last}, got none`,
    );
  }
}

function listSessionDays(): readonly EpochDay[] {
  const closed = new Set<EpochDay>(Object.keys(EXTRAORDINARY_CLOSURES).map(toEpochDay));
  for (let year = CALENDAR_YEARS.first; year <= CALENDAR_YEARS.last; year++) {
    for (const day of holidaysOf(year)) closed.add(day);
  }
  const days: EpochDay[] = [];
  const end = epochDayOf(CALENDAR_YEARS.last + 1, 1, 1);
  for (let day = epochDayOf(CALENDAR_YEARS.first, 1, 1); day < end; day++) {
    const weekday = weekdayOf(day);
    if (weekday === WEEKDAY.saturday || weekday === WEEKDAY.sunday || closed.has(day)) continue;
    days.push(day);
  }
  return days;
}

/** The index of the first value that is not less; values ascend. */
function lowerBound(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
