import type { DataFrame } from "nodejs-polars";
import { listSessionDays } from "../../base/calendar/list_sessions.ts";
import { readNumbers } from "../table/read_columns.ts";
import { distinctDays, usualGap } from "./days.ts";

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
    const [at, next, until] = [
      numbers[i]!,
      numbers[i + 1] ?? numbers[i]! + 1,
      days[i + 1] ?? day + 1,
    ];
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
  { sessions, tickerOf, days }: {
    readonly sessions: Int32Array;
    readonly tickerOf: Int32Array;
    readonly days: Int32Array;
  },
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
