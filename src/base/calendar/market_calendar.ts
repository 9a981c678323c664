import type { CalendarDate } from "../contract/instant.ts";
import { type EpochDay, epochDayOf, fromEpochDay, toEpochDay } from "./civil_date.ts";
import {
  CALENDAR_YEARS,
  closeMsOfDay,
  listSessionDays,
  listSessions,
  type Session,
} from "./list_sessions.ts";
import { lastNotAfter } from "../contract/scores/last_not_after.ts";

// A world is made from the indices of its sessions, which a longer calendar must not move.
const FIRST_YEAR = 1990;

/**
 * The sessions of the New York Stock Exchange since 1990: holidays by rule, early closes, and the
 * extraordinary closures that are known. A session is addressed by its index, 0 for the first one of 1990.
 */
export class MarketCalendar {
  readonly #days: readonly EpochDay[];
  readonly #closeMs: readonly number[];

  constructor() {
    this.#days = listSessionDays(epochDayOf(FIRST_YEAR, 1, 1), Infinity);
    this.#closeMs = this.#days.map(closeMsOfDay);
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

  /** Close of a session, epoch milliseconds. */
  closeMsOf(index: number): number {
    return this.#at(this.#closeMs, index);
  }

  /** The index of the first session on or after a day. */
  firstFrom(day: EpochDay): number {
    return lastNotAfter(this.#days, day - 1, Number) + 1;
  }

  /** The index of the last session that has closed at an instant; -1 before the first. */
  lastClosedAt(epochMs: number): number {
    return lastNotAfter(this.#closeMs, epochMs, Number);
  }

  /** The sessions from one date through another, both included. */
  between(from: CalendarDate, through: CalendarDate): readonly Session[] {
    return listSessions(toEpochDay(from), toEpochDay(through) + 1);
  }

  #at(values: readonly number[], index: number): number {
    const value = values[index];
    if (value !== undefined) return value;
    throw new RangeError(
      `Cannot find session ${index}: expected a session of ${FIRST_YEAR} to ${CALENDAR_YEARS.last}, got none`,
    );
  }
}
