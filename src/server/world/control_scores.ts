import { type CalendarDate, type Instant, instantOf } from "../../base/contract/instant.ts";
import type { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import type { Closes } from "./closes.ts";
import { normal, seedOf, uniform } from "./random.ts";

/** Scores of a control by column; entry `i` of all belongs to one session of one ticker that has a close then. */
export interface ControlScores {
  /** Sessions, ascending. */
  readonly dates: readonly CalendarDate[];
  /** Tickers, ascending within a session. */
  readonly tickers: readonly string[];
  /** Scores; `null` where there is none. */
  readonly scores: readonly (number | null)[];
  /** First time at which the score was known. */
  readonly publishedAt: readonly Instant[];
  /** The close that the score states as its cutoff. */
  readonly dataThrough: readonly Instant[];
}

/** Inputs of both controls. */
export interface ControlPlan {
  readonly seed: number;
  readonly calendar: MarketCalendar;
  /** Reads the closes. */
  readonly readCloses: () => Promise<Closes>;
}

const QUARTER = 63;
const HOUR_SECONDS = 3_600;
const MILLIONTHS = 1e6;

/** The controls of a world. */
export function controlsOf(plan: ControlPlan) {
  return {
    noise: async () => noiseScores(await plan.readCloses(), plan),
    foresight: async (secondsAfterClose = 1): Promise<ControlScores> => {
      if (!Number.isFinite(secondsAfterClose)) {
        throw new RangeError(
          `Cannot publish after a close: expected a number of seconds, got ${secondsAfterClose}`,
        );
      }
      return foresightScores(await plan.readCloses(), plan, secondsAfterClose);
    },
  };
}

function noiseScores(closes: Closes, { seed, calendar }: ControlPlan): ControlScores {
  const seeds = new Map<string, number>();
  const scores = closes.tickers.map((ticker, i) => {
    const own = seeds.get(ticker) ?? seedOf(seed, `noise ${ticker}`);
    seeds.set(ticker, own);
    const session = sessionOf(calendar, closes.dates[i]!);
    return noiseOfCall(own, Math.floor(session / QUARTER + uniform(own, -1)));
  });
  return { ...published(closes, calendar, -HOUR_SECONDS), scores };
}

function noiseOfCall(seed: number, call: number): number | null {
  const u = uniform(seed, call, 1);
  if (u < 0.04) return null;
  if (u < 0.1) return 0;
  if (u < 0.15) return 0.5;
  if (u < 0.21) return 1;
  const score = Math.min(1, Math.max(0, 0.5 + 0.2 * normal(seed, call, 2)));
  return Math.round(MILLIONTHS * score) / MILLIONTHS;
}

function foresightScores(
  closes: Closes,
  { calendar }: ControlPlan,
  secondsAfterClose: number,
): ControlScores {
  const last = new Map<string, { readonly session: number; readonly close: number }>();
  const scores = closes.tickers.map((ticker, i) => {
    const session = sessionOf(calendar, closes.dates[i]!);
    const close = closes.closes[i]!;
    const before = last.get(ticker);
    last.set(ticker, { session, close });
    // Over a gap there is no return of one session.
    return before?.session === session - 1 ? close / before.close - 1 : null;
  });
  return { ...published(closes, calendar, secondsAfterClose), scores };
}

function published(closes: Closes, calendar: MarketCalendar, secondsAfterClose: number) {
  const { dates, tickers } = closes;
  const known = new Map<string, { readonly at: Instant; readonly through: Instant }>();
  const timesOf = (date: CalendarDate) => {
    const times = known.get(date);
    if (times !== undefined) return times;
    const session = sessionOf(calendar, date);
    const made = {
      at: instantOf(calendar.closeMsOf(session) + 1_000 * secondsAfterClose),
      through: instantOf(calendar.closeMsOf(session - 1)),
    };
    known.set(date, made);
    return made;
  };
  return {
    dates,
    tickers,
    publishedAt: dates.map((date) => timesOf(date).at),
    dataThrough: dates.map((date) => timesOf(date).through),
  };
}

function sessionOf(calendar: MarketCalendar, date: CalendarDate): number {
  return calendar.firstFrom(toEpochDay(date));
}
