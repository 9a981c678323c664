import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import { earlyCloseOf } from "../../../base/calendar/holidays.ts";
import { listSessions } from "../../../base/calendar/list_sessions.ts";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { newYorkMs } from "../../../base/calendar/new_york.ts";
import { readDayColumn, readInstantColumn } from "../../table/read_columns.ts";
import type { ForwardReturns } from "../prices/forward_returns.ts";
import type { Reason } from "../../reason.ts";
import { placesOfDays, usualGap } from "../../dense/days.ts";
import { periodOfDay } from "../../../frames/prices/dates/frequency.ts";
import type { PriceGrid } from "../prices/price_grid.ts";
import type { TimedScores } from "../score_rows.ts";

const OPEN_MINUTE = 9 * 60 + 30;
const CLOSE_MINUTE = 16 * 60;
// Ages beyond ten years are treated alike.
const MAX_DAYS_BEFORE = 3_660;

/**
 * The instants of the sessions of returns: New York 16:00 or the early close, in UTC, with daylight saving; or those of a
 * calendar.
 *
 * @param calendar `date`, `open_at`, `close_at`; `null` for those of the returns
 * @param hasInstants True if they are compared with instants, and not only with dates
 * @throws {RangeError} If the calendar lacks a session, its instants do not ascend, or the closing times of the market
 * are needed and were not given
 */
export function sessionInstants(
  { grid: { days }, price, market }: Pick<ForwardReturns, "grid" | "price" | "market">,
  calendar: DataFrame | null,
  hasInstants: boolean,
) {
  const told = calendar ?? market.calendar;
  if (told === "own" && hasInstants) {
    // At 16:00 in New York, Tokyo closed fifteen hours ago.
    throw new RangeError(
      'Cannot align scores: expected the closes of the sessions, because prices with calendar: "own" ' +
        "meet scores with instants, got none; give the calendar as a frame with date, open_at and close_at",
    );
  }
  const own = typeof told === "string" ? null : readCalendar(told);
  const closeOf = own?.close ?? usClose;
  const openOf = own?.open ?? ((day: number) => newYorkMs(day, OPEN_MINUTE));
  const closes = Float64Array.from(days, closeOf);
  const trades = price === "close" ? closes : Float64Array.from(days, openOf);
  const wrong = trades.findIndex((ms, i) => !(ms > (trades[i - 1] ?? -Infinity)));
  let earlier: Float64Array | null = null;
  /** Number of trades before the first session that are later than an instant; they are computed at the first call. */
  const tradesBefore = (ms: number) => {
    earlier ??= own?.before(days, price) ?? usTradesBefore(days, price);
    return earlier.filter((instant) => instant > ms).length;
  };
  if (wrong === -1) return { trades, closes, tradesBefore };
  throw new RangeError(
    `Cannot align scores: expected a calendar with ascending instants for every session, got ` +
      `${trades[wrong]} for ${fromEpochDay(days[wrong]!)}; add the session to the calendar`,
  );
}

/** A date without trading in New York takes the usual closing time. */
function usClose(day: number): number {
  return newYorkMs(day, earlyCloseOf(day) ?? CLOSE_MINUTE);
}

function usTradesBefore(days: Int32Array, price: "close" | "open"): Float64Array {
  const end = days[0] ?? 0;
  const sessions = listSessions(end - MAX_DAYS_BEFORE, end);
  return Float64Array.from(sessions, ({ openMs, closeMs }) => price === "close" ? closeMs : openMs);
}

function refuseWrong(
  days: Int32Array,
  opens: Float64Array,
  closes: Float64Array,
  places: ReadonlyMap<number, number>,
): void {
  for (const [row, day] of days.entries()) {
    const isLast = places.get(day) === row;
    if (isLast && opens[row]! < closes[row]!) continue;
    throw new RangeError(
      `Cannot align scores: expected a calendar with each session once, which opens before it closes, got ` +
        `${fromEpochDay(day)} ${isLast ? "that closes first" : "twice"} in row ${row}`,
    );
  }
}

function readCalendar(calendar: DataFrame) {
  const action = "align scores";
  assertFrame(`${action} by a calendar`, calendar);
  const days = readDayColumn(action, calendar, "date");
  const opens = readInstantColumn(action, calendar, "open_at");
  const closes = readInstantColumn(action, calendar, "close_at");
  const places = new Map([...days].map((day, i) => [day, i]));
  refuseWrong(days, opens, closes, places);
  const from = (instants: Float64Array) => (day: number) => instants[places.get(day) ?? -1] ?? NaN;
  const before = (sessions: Int32Array, price: "close" | "open") =>
    (price === "close" ? closes : opens).filter((_, i) => days[i]! < (sessions[0] ?? 0));
  return { open: from(opens), close: from(closes), before };
}

// No closure of the exchange is longer.
const LONGEST_BREAK = 8;

/** Rules of the entry into sessions, as options of `align()`. */
interface EntryRules {
  readonly entry: "next" | "same";
  readonly delay?: number;
  readonly delayMs?: number;
  readonly maxAgeSessions?: number;
}

/** Sessions in which the scores of each time are in force. */
export type Places = ReturnType<typeof placeSets>;

/**
 * Finds the sessions of each time. The first one trades after the scores were known. Scores with a date are known when
 * its session closes, and belong to one session; a live set stays in force until the next one, the last one for the usual
 * gap between sets. A row that has both a date and an instant stays in force until one of its stock with that date or a later one is known. A single set stays in force until the prices end, because its usual duration is unknown.
 *
 * @param counted Flags of the times with rows that count; other times supersede nothing
 */
export function placeSets(
  rows: TimedScores,
  grid: Pick<PriceGrid, "days" | "sessionOf">,
  instants: ReturnType<typeof sessionInstants>,
  rules: EntryRules,
  counted: Uint8Array,
) {
  const { days } = grid;
  const { delay = 0, delayMs = 0, maxAgeSessions = Infinity } = rules;
  const known = knownTimes(rows, grid, instants.closes, rules.entry);
  const first = (ms: number) => firstTrade(instants.trades, ms + delayMs, rules.entry);
  const from = Int32Array.from(
    known,
    (ms) => ms === ms ? Math.min(days.length, first(ms) + delay) : -1,
  );
  const published = Int32Array.from(known, (ms, i) => {
    const at = rows.published?.[i] ?? NaN;
    const session = first(at === at ? at : ms);
    const cut = (at === at ? at : ms) + delayMs;
    return session === 0 ? -instants.tradesBefore(rules.entry === "same" ? cut - 1 : cut) : session;
  });
  const isOlder = olderVersions(rows, counted);
  const to = rows.kind === "date"
    ? from.map((session) => session + 1)
    : rows.versions !== null
    ? nextVersions(from, rows.versions, (i) => counted[i] === 0 || isOlder[i] === 1, days.length)
    : nextPlaces(from, counted, endOfLast(from, counted, rules, days.length));
  const fates = [...from].map((session, i): Reason | null => {
    if (counted[i] === 0) return "refused_status";
    if (session === -1) return "not_a_session";
    if (session === days.length) return "beyond_prices";
    const isSuperseded = rows.versions === null
      ? supersededBy(from, counted, i)
      : isOlder[i] === 1 || to[i] === session;
    if (isSuperseded) return "superseded";
    to[i] = Math.min(to[i]!, published[i]! + maxAgeSessions + 1);
    return to[i]! > session ? null : "expired";
  });
  return { from, to, fates, known, published };
}

function knownTimes(
  rows: TimedScores,
  { days, sessionOf }: Pick<PriceGrid, "days" | "sessionOf">,
  closes: Float64Array,
  entry: EntryRules["entry"],
): Float64Array {
  if (rows.kind === "instant") return rows.times;
  const placeOf = placesOfDays(days);
  const isMonthly = entry === "next" && areMonthEnds(rows.times);
  return rows.times.map((day) => {
    const session = sessionOf(day);
    if (session !== -1 || !isMonthly) return closes[placeOf(session)] ?? NaN;
    const place = days.findLastIndex((known) => known <= day);
    return day - (days[place] ?? -Infinity) < LONGEST_BREAK ? closes[place]! : NaN;
  });
}

/** `true` for the last days of calendar months, on weekends too: their session is the one before. */
export function areMonthEnds(days: Float64Array): boolean {
  return days.length > 1 && days.every((day) => periodOfDay(day, "monthly").last === day);
}

function firstTrade(trades: Float64Array, cut: number, entry: EntryRules["entry"]): number {
  let low = 0;
  let high = trades.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isLater = entry === "same" ? trades[middle]! >= cut : trades[middle]! > cut;
    if (isLater) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** One more than the last session of the last set. */
function endOfLast(from: Int32Array, counted: Uint8Array, rules: EntryRules, end: number): number {
  if (rules.maxAgeSessions !== undefined) return end;
  const places = from.filter((place, i) => counted[i] === 1 && place >= 0 && place < end);
  const gap = usualGap(places);
  return gap === null ? end : Math.min(end, Math.max(...new Set(places)) + gap);
}

function nextPlaces(from: Int32Array, counted: Uint8Array, end: number): Int32Array {
  const to = new Int32Array(from.length);
  let next = end;
  for (let i = from.length - 1; i >= 0; i--) {
    to[i] = next;
    if (counted[i] === 1) next = from[i]!;
  }
  return to;
}

/** 1 for each version of an older date than another one that was known by then: it never is the score in force. */
function olderVersions({ times, versions }: TimedScores, counted: Uint8Array): Uint8Array {
  const latest = new Map<number, number>();
  return Uint8Array.from(versions === null ? [] : times, (_, i) => {
    const [stock, day] = [versions!.stockOf[i]!, versions!.dayOf[i]!];
    if (day < (latest.get(stock) ?? -Infinity)) return 1;
    if (counted[i] === 1) latest.set(stock, day);
    return 0;
  });
}

/** One more than the last session of each version: the first one of the stock's next, or of none. */
function nextVersions(
  from: Int32Array,
  { stockOf }: NonNullable<TimedScores["versions"]>,
  isOut: (time: number) => boolean,
  end: number,
): Int32Array {
  const next = new Map<number, number>();
  const to = new Int32Array(from.length);
  for (let i = from.length - 1; i >= 0; i--) {
    to[i] = next.get(stockOf[i]!) ?? end;
    if (!isOut(i)) next.set(stockOf[i]!, from[i]!);
  }
  return to;
}

/** True if a later time that counts has the same first session. */
function supersededBy(from: Int32Array, counted: Uint8Array, i: number): boolean {
  for (let j = i + 1; j < from.length && (from[j] === from[i] || from[j] === -1); j++) {
    if (counted[j] === 1 && from[j] === from[i]) return true;
  }
  return false;
}
