import {
  type EpochDay,
  epochDayOf,
  fromEpochDay,
  weekdayOf,
} from "../../../base/calendar/civil_date.ts";
import { CALENDAR_YEARS, listSessionDays } from "../../../base/calendar/list_sessions.ts";
import {
  beginPeriods,
  FREQUENCIES,
  type Frequency,
  isRunning,
  medianGap,
  periodOfDay,
  seenFrequency,
} from "./frequency.ts";
import { WEEKDAYS } from "../../frame/sessions/sessions.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

/** The sessions of prices: those of the US market, a given list, or the dates of the prices themselves. */
export type MarketSessions = "us" | "own" | Int32Array;

/** Rules that map the dates of prices to sessions. */
export interface SessionRules {
  /** The sessions of the market. */
  readonly market: MarketSessions;
  /** The spacing of the prices. */
  readonly frequency: Frequency;
  /** Treatment of rows on dates that are not sessions: an error, or omitted. */
  readonly strays: "refuse" | "omit";
  /** Day of a period that dates label. */
  readonly labels?: "start" | "end";
  /** The largest share of sessions without any price. */
  readonly maxMissing: number;
}

const NO_DATES = { strays: [], missing: [], running: null, moved: 0 } as const;
const EXAMPLES = 3;
const FEWEST_DAYS = 5;
const CALENDAR_START = epochDayOf(CALENDAR_YEARS.first, 1, 1);

/**
 * Maps the dates of prices to sessions. Daily prices keep their dates. A weekly, monthly, quarterly or yearly close belongs
 * to the last session on or before its date, within the same period. A period without any date gets its last session,
 * without prices, so that no window silently spans more periods than stated.
 *
 * @param days The dates, ascending and distinct
 * @param spaced Those of one ticker, whose spacing is that of the prices
 * @throws {RangeError} If the dates have another spacing, are not sessions, or lack more sessions than allowed
 */
export function datesToSessions(
  action: string,
  days: Int32Array,
  rules: SessionRules,
  spaced = days,
) {
  if (days.length === 0) {
    return { ...NO_DATES, sessions: days, sessionOf: (_: EpochDay) => -1 };
  }
  assertSpacing(action, spaced, rules.frequency);
  const brought = rules.frequency === "daily"
    ? dailySessions(days, rules.market)
    : periodSessions(action, days, rules);
  const shift = rules.frequency === "daily" && rules.market === "us" ? shiftOf(days) : null;
  if (shift !== null) throw shifted(action, brought.strays, shift);
  const refused = brought.strays.filter((day) => day !== brought.running);
  if (refused.length > 0 && rules.strays === "refuse") {
    throw strayDates(action, refused, rules.frequency);
  }
  const allowed = Math.max(1, Math.floor(rules.maxMissing * brought.sessions.length));
  const { missing, sessions } = brought;
  if (missing.length > allowed) throw tooManyMissing(action, missing, sessions.length);
  return brought;
}

/** Days by which all dates have to move to be sessions, if they are a day late or early; `null` if they are not. */
export function shiftOf(days: Int32Array): -1 | 1 | null {
  const listed = new Set(marketDays("us", days[0]! - 1, days.at(-1)! + 1));
  const hits = (by: number) =>
    days.reduce((sum, day) => sum + (listed.has(day + by) ? 1 : 0), 0) / days.length;
  if (days.length < FEWEST_DAYS || hits(0) > 0.9) return null;
  return hits(-1) > 0.98 ? -1 : hits(1) > 0.98 ? 1 : null;
}

function dailySessions(days: Int32Array, market: MarketSessions) {
  const sessions = market === "own" ? days : marketDays(market, days[0]!, days.at(-1)!);
  const [listed, present] = [new Set(sessions), new Set(days)];
  return {
    ...NO_DATES,
    sessions,
    sessionOf: (day: EpochDay) => listed.has(day) ? day : -1,
    strays: [...days].filter((day) => !listed.has(day)),
    missing: [...sessions].filter((day) => !present.has(day)),
  };
}

function periodSessions(action: string, dates: Int32Array, rules: SessionRules) {
  const { market, frequency, labels } = rules;
  if (labels !== "start") refuseStarts(action, dates, rules);
  const running = labels !== "start" && isRunning(dates, frequency) ? dates.at(-1)! : null;
  const days = running === null ? dates : dates.subarray(0, -1);
  const span = { from: periodOfDay(days[0]!, frequency), to: periodOfDay(days.at(-1)!, frequency) };
  const listed = market === "own" ? null : marketDays(market, span.from.first, span.to.last);
  const closeOf = (day: EpochDay) => {
    const period = periodOfDay(day, frequency);
    return lastSession(listed, labels === "start" ? period.last : day, period.first);
  };
  const dated = Map.groupBy(days, (day) => periodOfDay(day, frequency).first);
  const missing: EpochDay[] = [];
  const sessionOfPeriod = new Map<EpochDay, EpochDay>();
  for (let period = span.from; period.first <= span.to.first;) {
    const placed = dated.get(period.first)?.map(closeOf).filter((day) => day !== null) ?? [];
    // Tickers may end on several days of a period, as the last rows of a grouping by month do.
    const session = placed.at(-1) ?? lastSession(listed, period.last, period.first);
    if (session !== null) {
      sessionOfPeriod.set(period.first, session);
      if (placed.length === 0) missing.push(session);
    }
    period = periodOfDay(period.last + 1, frequency);
  }
  const sessionOf = (day: EpochDay) =>
    day === running || closeOf(day) === null
      ? -1
      : sessionOfPeriod.get(periodOfDay(day, frequency).first) ?? -1;
  const strays = [...dates].filter((day) => day === running || closeOf(day) === null);
  const moved = [...days].filter((day) => ![day, -1].includes(sessionOf(day))).length;
  const sessions = Int32Array.from(sessionOfPeriod.values());
  return { sessions, sessionOf, strays, missing, running, moved };
}

/** Refuses dates that begin their periods if some of them are no session, so that they cannot be those of their closes. */
function refuseStarts(action: string, days: Int32Array, { frequency, market }: SessionRules): void {
  if (market === "own" || !beginPeriods(days, frequency)) return;
  const listed = new Set(marketDays(market, days[0]!, days.at(-1)!));
  if (days.every((day) => listed.has(day))) return;
  const { unit } = FREQUENCIES[frequency];
  throw new RangeError(
    `Cannot ${action}: expected the dates of ${frequency} closes, got the first days of their ` +
      `periods (${daysText([...days])}); use labels: "start" if each close is that of the end ` +
      `of its ${unit}`,
  );
}

function marketDays(market: "us" | Int32Array, from: EpochDay, to: EpochDay): Int32Array {
  if (market === "us") return Int32Array.from(listSessionDays(from, to + 1));
  return market.filter((day) => day >= from && day <= to);
}

/** The last session of a period on or before a day; `null` if there is none. */
function lastSession(listed: Int32Array | null, day: EpochDay, first: EpochDay): EpochDay | null {
  if (listed === null) return day;
  const found = listed.findLast((session) => session <= day);
  return found === undefined || found < first ? null : found;
}

function strayDates(action: string, strays: readonly EpochDay[], frequency: Frequency): RangeError {
  const first = Math.min(...strays);
  const early = first < CALENDAR_START
    ? `; the calendar begins in ${CALENDAR_YEARS.first}, so use calendar: "own" for earlier prices`
    : '; use strays: "omit" to omit them, or calendar: "own" if the prices are from another market, whose sessions ' +
      `are the dates of the prices`;
  const last = frequency === "daily" ? "" : ` of its ${FREQUENCIES[frequency].unit}`;
  return new RangeError(
    `Cannot ${action}: expected dates that are sessions of the ` +
      `market${last && ", or follow one" + last}, got ${groupThousands(strays.length)} that ` +
      `${strays.length === 1 ? "is" : "are"} not (${daysText(strays)})${early}`,
  );
}

function tooManyMissing(
  action: string,
  missing: readonly EpochDay[],
  sessions: number,
): RangeError {
  const share = Math.ceil(100 * missing.length / sessions) / 100;
  return new RangeError(
    `Cannot ${action}: expected prices on the sessions of the market, got none on ` +
      `${groupThousands(missing.length)} of ${groupThousands(sessions)} (` +
      `${daysText(missing)}); use maxMissing: ${share} to ` +
      'count them as sessions without prices, or calendar: "own" if the market did not trade on them',
  );
}

function shifted(action: string, strays: readonly EpochDay[], shift: number): RangeError {
  const days = shift === -1 ? "a day later" : "a day earlier";
  return new RangeError(
    `Cannot ${action}: expected dates that are sessions of the market, got dates ${days} than ` +
      `its sessions (${daysText(strays)}); use readPrices(prices, { shiftDays: ` +
      `${shift} }) to move all by a day`,
  );
}

function daysText(days: readonly EpochDay[]): string {
  const shown = days.slice(0, EXAMPLES)
    .map((day) => `${fromEpochDay(day)}, a ${WEEKDAYS[weekdayOf(day)]}`);
  return shown.join("; ") + (days.length > EXAMPLES ? "; …" : "");
}

/**
 * Refuses dates whose spacing differs from the frequency: monthly closes taken as daily would be annualised with a factor 21
 * times too large.
 *
 * @param days The dates, ascending and distinct
 * @throws {RangeError} If they differ, with the observed spacing and the option for it
 */
function assertSpacing(action: string, days: Int32Array, frequency: Frequency): void {
  if (days.length < 2) return;
  const gap = medianGap(days);
  const [low, high] = FREQUENCIES[frequency].gap;
  if (gap >= low && gap <= high) return;
  const seen = seenFrequency(days);
  const dates = [...days.subarray(0, 3)].map(fromEpochDay).join(", ");
  const advice = seen === null
    ? "keep the dates of one frequency: daily, weekly, monthly, quarterly or yearly"
    : seen === "daily"
    ? `omit frequency, or keep the last close of each ${FREQUENCIES[frequency].unit}`
    : `use frequency: "${seen}" if these are ${seen} closes`;
  throw new RangeError(
    `Cannot ${action}: expected ${frequency} prices, got dates that are ${gap} ` +
      `${gap === 1 ? "day" : "days"} apart (${dates}${days.length > 3 ? ", …" : ""}); ${advice}`,
  );
}
