import { placeFrom, placesOfDays, usualGap } from "../../../../analysis/dense/days.ts";
import type { AnalysisPlan } from "../../../../analysis/factor/analysis_options.ts";
import { bookCalendar } from "../../../../analysis/portfolio/book/carry_book.ts";
import type { DaySpan } from "../part_tables.ts";

/** The sessions of the portfolio of a whole sample, in days since 1970-01-01. */
export interface PartBook {
  /** The sessions with new weights. */
  readonly signals: Int32Array;
  /** The sessions in which the portfolio is traded to these weights. */
  readonly rebalances: Int32Array;
  /** The day after its last session. */
  readonly end: number;
  /** `true` if scores belong only to their own sessions and usually skip some. */
  readonly areSparse: boolean;
}

/** Sessions of the scores of a whole sample, without values. */
export interface PlacedScores extends DaySpan {
  /** Sessions with new scores; for live sets, those in which a set came into force. */
  readonly signals: Int32Array;
  /** `true` if scores belong only to their own session, so that weights are held until the next ones. */
  readonly livesOn: boolean;
}

/** Trading sessions of the portfolio of a whole sample; `null` without any score. */
export function bookOfSample(
  placed: PlacedScores | null,
  days: Int32Array,
  { book }: AnalysisPlan,
): PartBook | null {
  if (placed === null || placed.signals.length === 0) return null;
  const placeOf = placesOfDays(days);
  const signals = new Uint8Array(days.length);
  for (const day of placed.signals) signals[placeOf(day)] = 1;
  const span = [placeOf(placed.from), placeOf(placed.to) + 1] as const;
  const { livesOn } = placed;
  const { rebalances, to } = bookCalendar({ days, signals, span, livesOn }, book.rebalance);
  return {
    signals: placed.signals,
    rebalances: days.filter((_, place) => rebalances[place] === 1),
    end: days[to - 1]! + 1,
    areSparse: livesOn && (usualGap(Array.from(placed.signals, placeOf)) ?? 1) > 1,
  };
}

/**
 * Number of sessions between a part and the previous trade or score, from which the positions at its start come.
 *
 * @param sessions All sessions, ascending
 */
export function bookMargin(sessions: Int32Array, own: DaySpan, book: PartBook | null): number {
  if (book === null) return 0;
  const first = sessions.findIndex((day) => day >= own.from);
  const earlier = (days: Int32Array) => days.findLast((day) => day < sessions[first]!);
  const before = earlier(book.rebalances) ?? earlier(book.signals);
  return before === undefined || first === -1 ? 0 : first - sessions.indexOf(before);
}

/** Sessions with new scores in a part and its margin, and the last of them that is traded to before the part. */
export function bookOfPart(
  days: Int32Array,
  { book, own, placed }: {
    readonly book: PartBook | null;
    readonly own: DaySpan;
    readonly placed: DaySpan | null;
  },
): { readonly signals: Uint8Array; readonly from: number; readonly areSparse: boolean } {
  const first = placeFrom(days, own.from);
  const marks = (chosen: Int32Array) => {
    const known = new Set(chosen);
    return Uint8Array.from(days, (day) => known.has(day) ? 1 : 0);
  };
  const rebalances = marks(book?.rebalances ?? new Int32Array(0));
  const signals = marks(book?.signals ?? new Int32Array(0));
  const earlier = (of: Uint8Array) => first === 0 ? -1 : of.lastIndexOf(1, first - 1);
  const before = earlier(rebalances) === -1 ? earlier(signals) : earlier(rebalances);
  const scored = placed === null ? placeFrom(days, own.to + 1) : placeFrom(days, placed.from);
  return {
    signals,
    from: before !== -1 ? before : Math.max(first, scored),
    areSparse: book?.areSparse ?? false,
  };
}
