import { listSessionDays } from "../../base/calendar/list_sessions.ts";
import { SESSIONS_OF_QUARTER } from "../../base/statistics/moments.ts";
import { type Frequency, seenFrequency } from "../../frames/prices/dates/frequency.ts";

// No closure of the exchange is longer.
const LONGEST_BREAK = 8;

// What a month, a quarter and a year have of each; daily data a week, a month and a quarter.
const SPANS: Readonly<Record<Frequency, readonly number[]>> = {
  daily: [5, 21, SESSIONS_OF_QUARTER],
  weekly: [4, 13, 52],
  monthly: [3, 6, 12],
  quarterly: [2, 4, 8],
  yearly: [2, 3, 5],
};
// An interval of a mean requires as many values that do not overlap.
const LEAST_OF_WINDOW = 10;

/** Spans in which data of a frequency are told apart, shortest first. */
export function usualSpans(days: Int32Array): readonly number[] {
  return SPANS[seenFrequency(days) ?? "daily"];
}

/** Number of values of a moving mean: those of a quarter, or of a year where these are too few. */
export function usualWindow(periodsPerYear: number): number {
  const quarter = Math.round(periodsPerYear / 4);
  return quarter < LEAST_OF_WINDOW ? Math.max(2, periodsPerYear) : quarter;
}

/** The distinct days, ascending. */
export function distinctDays(days: Int32Array): Int32Array {
  const seen = new Set<number>();
  for (let i = 0; i < days.length; i++) if (i === 0 || days[i] !== days[i - 1]) seen.add(days[i]!);
  return Int32Array.from(seen).sort();
}

/** A function that returns the index of a day in ascending days; -1 for any other day. */
export function placesOfDays(days: Int32Array): (day: number) => number {
  if (days.length === 0) return () => -1;
  const first = days[0]!;
  const last = days[days.length - 1]!;
  const places = new Int32Array(last - first + 1).fill(-1);
  for (const [place, day] of days.entries()) places[day - first] = place;
  return (day) => day < first || day > last ? -1 : places[day - first]!;
}

/** Days of the money of a span of sessions: when each return is earned, and the session of its weights. */
export interface MoneyDays {
  /** Session at whose close the return is earned. */
  readonly date: Int32Array;
  /** Session of the weights. */
  readonly from: Int32Array;
}

/**
 * Days of returns from the entry of each session of a span to the session after it, as far as there is one. A frame of rows can end with a
 * return: that is earned by the next session of the market, or one usual gap later.
 *
 * @param until One more than the last session with a return
 */
export function moneyDays(
  { days, entryLag = 0 }: { readonly days: Int32Array; readonly entryLag?: number },
  { span: [from, to], until }: { readonly span: readonly [number, number]; readonly until: number },
): MoneyDays {
  const known = days.length - 1 - entryLag;
  const end = Math.max(from, Math.min(to, Math.max(known, until)));
  const ends = until > known && days.length > 0 ? Int32Array.of(...days, dayAfter(days)) : days;
  return {
    date: ends.slice(from + entryLag + 1, end + entryLag + 1),
    from: days.slice(from, end),
  };
}

/** The session of the US market after the last of some days, or a day as far from it as these are apart. */
function dayAfter(days: Int32Array): number {
  const last = days[days.length - 1]!;
  const gap = usualGap(days) ?? 1;
  const next = listSessionDays(last, last + LONGEST_BREAK);
  return next[0] === last && gap === 1 ? next[1]! : last + gap;
}

/** Median number of sessions between consecutive signals; `null` with fewer than two. */
export function usualGap(places: Iterable<number>): number | null {
  const distinct = [...new Set(places)].toSorted((a, b) => a - b);
  const gaps = distinct.slice(1).map((place, i) => place - distinct[i]!).toSorted((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? null;
}

/** Sessions of a span in which any stock has a value. */
export function valuedSessions(
  values: Float64Array,
  width: number,
  [from, to]: readonly [from: number, to: number],
): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i)
    .filter((d) => values.subarray(d * width, (d + 1) * width).some((value) => value === value));
}

/** Weekdays since a Monday long ago. */
export function weekdaysTo(day: number): number {
  const sinceMonday = day + 3;
  const week = Math.floor(sinceMonday / 7);
  return 5 * week + Math.min(5, sinceMonday - 7 * week);
}
