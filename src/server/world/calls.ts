import { type EpochDay, epochDayOf, yearMonthOf } from "../../base/calendar/civil_date.ts";
import type { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import type { Incidents } from "./incidents.ts";
import { newYorkMs } from "../../base/calendar/new_york.ts";
import { integer, uniform } from "./random.ts";
import type { Member } from "./universe.ts";

const MINUTE_MS = 60_000;

/** A fiscal quarter as a number: four times the year plus 0 to 3. */
export type Quarter = number;

/** One earnings call on its way through the service; all times in epoch milliseconds. */
export interface EarningsCall {
  /** Index of the company in the universe. */
  readonly member: number;
  /** Fiscal quarter. */
  readonly quarter: Quarter;
  /** Session day of the call. */
  readonly day: EpochDay;
  /** Arrival of the transcript; the service knows nothing of the call before. */
  readonly transcriptMs: number;
  /** Time at which the source update is taken from the queue. */
  readonly takenMs: number;
  /** End of the span in which it counts as failed; `takenMs` if it never does. */
  readonly failedUntilMs: number;
  /** End of factor processing, from which a qualified call has a value. */
  readonly processedMs: number;
  /** True if it yields a value; an unusable call yields none and extends nothing. */
  readonly isQualified: boolean;
}

/** Inputs of the calls of a world. */
export interface CallContext {
  readonly calendar: MarketCalendar;
  readonly incidents: Incidents;
  /** Share of calls that fail, from 0 to 1; twice as many are slow to process. */
  readonly trouble: number;
}

// Minutes of the day in New York at which companies like to hold calls.
const CALL_MINUTES = [480, 510, 540, 600, 660, 990, 1_020, 1_020] as const;

/** The quarter that a calendar day lies in. */
export function quarterOf(day: EpochDay): Quarter {
  const { year, month } = yearMonthOf(day);
  return year * 4 + Math.floor((month - 1) / 3);
}

/** The first day of a quarter of the calendar year, or of a fiscal one that begins some months later. */
export function firstDayOf(quarter: Quarter, monthsLater = 0): EpochDay {
  return epochDayOf(Math.floor(quarter / 4), (quarter % 4) * 3 + 1 + monthsLater, 1);
}

/** The call of a company in a fiscal quarter, or `null` if it holds none. */
export function makeCall(
  member: Member,
  place: { readonly member: number; readonly quarter: Quarter },
  context: CallContext,
): EarningsCall | null {
  const { quarter } = place;
  const { id } = member;
  if (!member.holdsCalls || uniform(id, quarter, 20) < 0.015) return null;
  const start = firstDayOf(quarter, member.fiscalShift);
  const wanted = start + member.callDay + integer(id, { from: -4, to: 5 }, quarter, 21);
  const day = context.calendar.dayOf(context.calendar.firstFrom(wanted));
  if (day < member.listDay || day >= member.delistDay) return null;
  const minute = CALL_MINUTES[integer(id, { from: 0, to: CALL_MINUTES.length }, quarter, 22)] ??
    480;
  const transcriptMs = newYorkMs(day, minute) + transcriptDelayMs(id, quarter);
  const times = processingTimes(id, quarter, { transcriptMs, context });
  return { ...place, day, transcriptMs, ...times };
}

// Most transcripts arrive within hours, some days late.
function transcriptDelayMs(id: number, quarter: Quarter): number {
  const u = uniform(id, quarter, 23);
  const isLate = uniform(id, quarter, 24) < 0.08;
  return Math.round((isLate ? 20 + 76 * u : 1.5 + 4 * u) * 60) * MINUTE_MS;
}

function processingTimes(
  id: number,
  quarter: Quarter,
  arrival: { readonly transcriptMs: number; readonly context: CallContext },
) {
  const { transcriptMs, context } = arrival;
  const usualMs = transcriptMs + (5 + Math.floor(90 * uniform(id, quarter, 25))) * 1_000;
  const takenMs = context.incidents.backlogAt(usualMs)?.toMs ?? usualMs;
  const fails = uniform(id, quarter, 26) < context.trouble;
  const recovers = uniform(id, quarter, 27) < 0.85;
  const failedHours = recovers ? 4 + 30 * uniform(id, quarter, 28) : 72;
  const failedUntilMs = fails ? takenMs + Math.round(failedHours * 60) * MINUTE_MS : takenMs;
  const isSlow = uniform(id, quarter, 29) < 2 * context.trouble;
  const minutes = isSlow ? 60 + 180 * uniform(id, quarter, 30) : 2 + 8 * uniform(id, quarter, 30);
  const processedMs = failedUntilMs + Math.round(minutes) * MINUTE_MS;
  const isUsable = uniform(id, quarter, 31) >= 0.04;
  return { takenMs, failedUntilMs, processedMs, isQualified: isUsable && (!fails || recovers) };
}
