import type { DataFrame } from "nodejs-polars";
import { listSessionDays } from "../../base/calendar/list_sessions.ts";
import { SESSIONS_OF_QUARTER } from "../../base/statistics/moments.ts";
import { type Frequency, seenFrequency } from "../../frames/prices/dates/frequency.ts";
import { readNumbers } from "../table/read_columns.ts";

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

/** Index of each ticker in another list; -1 if it is not there. */
export function columnsOf(of: readonly string[], tickers: readonly string[]): Int32Array {
  const columns = new Map(of.map((ticker, column) => [ticker, column]));
  return Int32Array.from(tickers, (ticker) => columns.get(ticker) ?? -1);
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

/**
 * Days of returns from the entry of each session of a span to the session after it, as far as there is one. A frame of rows can end with a
 * return: that is earned by the next session of the market, or one usual gap later.
 *
 * @param until One more than the last session with a return
 */
export function moneyDays(
  { days, entryLag = 0 }: { readonly days: Int32Array; readonly entryLag?: number },
  { span: [from, to], until }: { readonly span: readonly [number, number]; readonly until: number },
) {
  const known = days.length - 1 - entryLag;
  const end = Math.max(from, Math.min(to, Math.max(known, until)));
  const ends = until > known && days.length > 0 ? Int32Array.of(...days, dayAfter(days)) : days;
  return { date: ends.slice(from + entryLag + 1, end + entryLag + 1), from: days.slice(from, end) };
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

/** The column that keeps the calendar of aligned rows: the number of the session among those of the prices. */
export const SESSION_NUMBER = "session_number";

// Neighbouring windows that share half of their sessions or more have a correlation of 0.5 or more.
const OVERLAP = 0.25;
const FEWEST_PAIRS = 30;

/**
 * The sessions that rows are counted on, ascending: those of the rows and the ones between them. Aligned rows know their numbers. Of other rows
 * that skip sessions, such as those of months, the sessions of the US market between them count, unless their returns say that windows are of
 * so many rows.
 *
 * @param sessions The session of each row, in days since 1970-01-01
 * @param tickerOf The ticker of each row
 */
export function calendarOfRows(
  action: string,
  frame: DataFrame,
  { sessions, tickerOf }: { readonly sessions: Int32Array; readonly tickerOf: Int32Array },
): Int32Array {
  const days = distinctDays(sessions);
  if (days.length < 2) return days;
  const market = Int32Array.from(listSessionDays(days[0]!, days.at(-1)! + 1));
  if (frame.columns.includes(SESSION_NUMBER)) {
    const numbers = numbersOf(readNumbers(action, frame, SESSION_NUMBER), sessions, days);
    if (numbers !== null) return between(days, numbers, market);
  }
  const own = days.map((day) => market.indexOf(day));
  if (own.includes(-1) || (usualGap(own) ?? 1) < 2) return days;
  return haveWindowsOfRows(action, frame, { sessions, tickerOf, days }) ? days : market;
}

/** The number of each day, from 0; `null` if rows do not agree, as those of two alignments. */
function numbersOf(
  values: Float64Array,
  sessions: Int32Array,
  days: Int32Array,
): Int32Array | null {
  const byDay = new Map<number, number>();
  for (const [row, day] of sessions.entries()) {
    const known = byDay.get(day);
    if (known === undefined) byDay.set(day, values[row]!);
    else if (known !== values[row]) return null;
  }
  const first = byDay.get(days[0]!)!;
  const numbers = days.map((day) => byDay.get(day)! - first);
  const ascend = numbers.every((number, i) =>
    i === 0 || (number > numbers[i - 1]! && number - numbers[i - 1]! <= days[i]! - days[i - 1]!)
  );
  return ascend ? numbers : null;
}

/** The days at their numbers, and between them sessions of the market, or days at equal distances where it has another number of them. */
function between(days: Int32Array, numbers: Int32Array, market: Int32Array): Int32Array {
  const all = new Int32Array(numbers.at(-1)! + 1);
  for (const [i, day] of days.entries()) {
    const [at, until] = [numbers[i]!, days[i + 1] ?? day + 1];
    const next = numbers[i + 1] ?? at + 1;
    const inside = market.filter((one) => one > day && one < until);
    all[at] = day;
    for (let k = 1; k < next - at; k++) {
      all[at + k] = inside.length === next - at - 1
        ? inside[k - 1]!
        : day + Math.floor(k * (until - day) / (next - at));
    }
  }
  return all;
}

/** True if the longest returns of neighbouring rows of a stock move together, as windows of several rows do. */
function haveWindowsOfRows(
  action: string,
  frame: DataFrame,
  { sessions, tickerOf, days }: Readonly<Record<"sessions" | "tickerOf" | "days", Int32Array>>,
): boolean {
  const longest = frame.columns.flatMap((name) => /^return_(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number).reduce((most, horizon) => Math.max(most, horizon), 0);
  if (longest < 2) return true;
  const values = readNumbers(action, frame, `return_${longest}`);
  const places = new Map(Array.from(days, (day, place) => [day, place]));
  const rows = new Map(
    Array.from(sessions, (day, row) => [`${tickerOf[row]} ${places.get(day)}`, row]),
  );
  let [n, xy, xx, yy] = [0, 0, 0, 0];
  for (const [row, day] of sessions.entries()) {
    const before = rows.get(`${tickerOf[row]} ${places.get(day)! - 1}`);
    const [x, y] = [values[before ?? -1] ?? NaN, values[row]!];
    if (Number.isNaN(x * y)) continue;
    n++;
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return n < FEWEST_PAIRS || !(xy / Math.sqrt(xx * yy) < OVERLAP);
}
