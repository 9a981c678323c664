import { calendarSpan, toEpochDay } from "../../../base/calendar/civil_date.ts";
import { usualGap } from "../../dense/usual_gap.ts";
import type { Rebalance } from "./book_rules.ts";

/** Sessions of a book: its rebalancing, its first and its last session. */
export interface BookCalendar {
  /** 1 for each session in which the book is traded to new weights. */
  readonly rebalances: Uint8Array;
  /** 1 for each session with new weights. */
  readonly signals: Uint8Array;
  /** The first session in which the book is traded; the end if there is none. */
  readonly from: number;
  /** One more than the last session of the book. */
  readonly to: number;
}

/** Sessions with new weights. */
export interface Signals {
  /** All sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** 1 for each session with new weights. */
  readonly signals: Uint8Array;
  /** First session that needs weights, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** True if the last weights live on after the span: for one usual gap between signals. */
  readonly livesOn: boolean;
}

/**
 * Sessions in which a book is traded. Its last weights live for one usual gap between signals; a single one lives until the sessions end.
 */
export function bookCalendar(
  { days, signals, span, livesOn }: Signals,
  rebalance: Rebalance,
): BookCalendar {
  const places = [...signals.keys()].filter((place) => signals[place] === 1);
  const rebalances = new Uint8Array(days.length);
  const [first, last] = [places[0], places.at(-1)!];
  if (first === undefined) return { rebalances, signals, from: span[1], to: span[1] };
  const open = last + (usualGap(places) ?? days.length);
  const to = Math.max(span[1], livesOn ? Math.min(days.length, open) : 0);
  const keyOf = keyOfSession(days, first, rebalance);
  let before = -1;
  for (const place of places) {
    const key = keyOf(place);
    if (key > before) rebalances[place] = 1;
    before = Math.max(before, key);
  }
  const start = rebalances.indexOf(1);
  return { rebalances, signals, from: start === -1 ? to : start, to };
}

/** A number that grows from one span of sessions to the next: in each the first signal is traded to. */
function keyOfSession(
  days: Int32Array,
  first: number,
  rebalance: Rebalance,
): (place: number) => number {
  if (rebalance === "signal") return (place) => place;
  if (typeof rebalance === "number") return (place) => Math.floor((place - first) / rebalance);
  if (rebalance === "monthly") return (place) => calendarSpan(days[place]!, "month");
  if (rebalance === "weekly") return (place) => calendarSpan(days[place]!, "week") + 1_000_000;
  const dates = rebalance.map(toEpochDay).toSorted((a, b) => a - b);
  return (place) => dates.filter((date) => date <= days[place]!).length - 1;
}
