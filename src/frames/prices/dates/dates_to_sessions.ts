import { type EpochDay, fromEpochDay, weekdayOf } from "../../../base/calendar/civil_date.ts";
import { listSessionDays } from "../../../base/calendar/list_sessions.ts";
import { assertSpacing } from "./assert_spacing.ts";
import { FREQUENCIES, type Frequency, periodOfDay } from "./frequency.ts";
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
  readonly strays: "refuse" | "leave out";
  /** The largest share of sessions without any price. */
  readonly maxMissing: number;
}

/** The sessions of prices, and the mapping from dates to them. */
export interface BroughtDates {
  /** The sessions from the first to the last date, ascending, in days since 1970-01-01. */
  readonly sessions: Int32Array;
  /** The session of a date of prices or scores; -1 for none. */
  sessionOf(day: EpochDay): EpochDay;
  /** Dates that are not sessions, ascending; their rows are omitted. */
  readonly strays: readonly EpochDay[];
  /** Sessions on which no ticker has a row, ascending. */
  readonly missing: readonly EpochDay[];
  /** Number of dates that were moved to an earlier session of the same week, month, quarter or year. */
  readonly moved: number;
}

const EXAMPLES = 3;
const WEEKDAYS = [
  ...["a Sunday", "a Monday", "a Tuesday", "a Wednesday", "a Thursday", "a Friday", "a Saturday"],
];

/**
 * Maps the dates of prices to sessions. Daily prices keep their dates. A weekly, monthly, quarterly or yearly close belongs
 * to the last session on or before its date, within the same period. A period without any date gets its last session,
 * without prices, so that no window silently spans more periods than stated.
 *
 * @param days The dates, ascending and distinct
 * @throws {RangeError} If the dates have another spacing, are not sessions, or lack more sessions than allowed
 */
export function datesToSessions(
  action: string,
  days: Int32Array,
  rules: SessionRules,
): BroughtDates {
  if (days.length === 0) {
    return { sessions: days, sessionOf: () => -1, strays: [], missing: [], moved: 0 };
  }
  assertSpacing(action, days, rules);
  const brought = rules.frequency === "daily"
    ? dailySessions(days, rules.market)
    : periodSessions(action, days, rules);
  if (brought.strays.length > 0 && rules.strays === "refuse") throw strayDates(action, brought);
  const allowed = Math.max(1, Math.floor(rules.maxMissing * brought.sessions.length));
  if (brought.missing.length > allowed) throw tooManyMissing(action, brought);
  return brought;
}

function dailySessions(days: Int32Array, market: MarketSessions): BroughtDates {
  const sessions = market === "own" ? days : marketDays(market, days[0]!, days.at(-1)!);
  const [listed, present] = [new Set(sessions), new Set(days)];
  return {
    sessions,
    sessionOf: (day) => listed.has(day) ? day : -1,
    strays: [...days].filter((day) => !listed.has(day)),
    missing: [...sessions].filter((day) => !present.has(day)),
    moved: 0,
  };
}

function periodSessions(
  action: string,
  days: Int32Array,
  { market, frequency }: SessionRules,
): BroughtDates {
  const span = { from: periodOfDay(days[0]!, frequency), to: periodOfDay(days.at(-1)!, frequency) };
  const listed = market === "own" ? null : marketDays(market, span.from.first, span.to.last);
  const [sessions, missing, strays]: EpochDay[][] = [[], [], []];
  let next = 0;
  for (let period = span.from; period.first <= span.to.first;) {
    const dates: EpochDay[] = [];
    for (; days[next]! <= period.last; next++) dates.push(days[next]!);
    const own = dates.map((day) => [day, lastSession(listed, day, period)] as const);
    const placed = own.filter(([, session]) => session !== null) as [EpochDay, EpochDay][];
    strays!.push(...own.filter(([, session]) => session === null).map(([day]) => day));
    if (placed.length > 1) {
      throw severalDates(action, dates, frequency);
    }
    const session = placed[0]?.[1] ?? lastSession(listed, period.last, period);
    if (session !== null) sessions!.push(session);
    if (session !== null && placed.length === 0) missing!.push(session);
    period = periodOfDay(period.last + 1, frequency);
  }
  const known = new Set(sessions);
  const sessionOf = (day: EpochDay) => {
    const session = lastSession(listed, day, periodOfDay(day, frequency)) ?? -1;
    return known.has(session) ? session : -1;
  };
  return {
    sessions: Int32Array.from(sessions!),
    sessionOf,
    strays: strays!,
    missing: missing!,
    moved: [...days].filter((day) => ![day, -1].includes(sessionOf(day))).length,
  };
}

function marketDays(market: "us" | Int32Array, from: EpochDay, to: EpochDay): Int32Array {
  if (market === "us") return Int32Array.from(listSessionDays(from, to + 1));
  return market.filter((day) => day >= from && day <= to);
}

/** The last session of a period on or before a day; `null` if there is none. */
function lastSession(
  listed: Int32Array | null,
  day: EpochDay,
  { first }: { readonly first: EpochDay },
): EpochDay | null {
  if (listed === null) return day;
  const found = listed.findLast((session) => session <= day);
  return found === undefined || found < first ? null : found;
}

function strayDates(action: string, { strays }: BroughtDates): RangeError {
  return new RangeError(
    `Cannot ${action}: expected dates that are sessions of the market, got ` +
      `${groupThousands(strays.length)} that ${strays.length === 1 ? "is" : "are"} not (` +
      `${examplesOf(strays, (day) => `, ${WEEKDAYS[weekdayOf(day)]!}`)}); use calendar: "us" to ` +
      'omit them, or calendar: "own" if the prices are from another market, whose sessions ' +
      "are the dates of the prices",
  );
}

function tooManyMissing(action: string, { missing, sessions }: BroughtDates): RangeError {
  return new RangeError(
    `Cannot ${action}: expected prices on the sessions of the market, got none on ` +
      `${groupThousands(missing.length)} of ${groupThousands(sessions.length)} (` +
      `${examplesOf(missing, (day) => `, ${WEEKDAYS[weekdayOf(day)]!}`)}); use calendar: "us" to ` +
      'count them as sessions without prices, or calendar: "own" if the market did not trade on them',
  );
}

function severalDates(
  action: string,
  dates: readonly EpochDay[],
  frequency: Frequency,
): RangeError {
  const { unit } = FREQUENCIES[frequency];
  return new RangeError(
    `Cannot ${action}: expected ${frequency} prices with one date per ${unit}, got ` +
      `${
        examplesOf(dates, () => "")
      } in one ${unit}; keep the last close of each ${unit}, or set ` +
      "the frequency of the prices",
  );
}

function examplesOf(days: readonly EpochDay[], more: (day: EpochDay) => string): string {
  const shown = days.slice(0, EXAMPLES).map((day) => fromEpochDay(day) + more(day));
  return shown.join("; ") + (days.length > EXAMPLES ? "; …" : "");
}
