import type { Marks } from "../../dense/dense_scores.ts";
import type { Weights } from "../weights.ts";
import { type AccountLines, type AccountPlan, runAccount } from "./account.ts";
import type { BookCalendar } from "./book_calendar.ts";
import type { Between } from "./book_rules.ts";

/** Holdings in each session of a book, their return until the next one, and the trades behind them. */
export interface Book extends AccountLines {
  /** The first session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** 1 where the book is traded to new weights. */
  readonly rebalanced: Uint8Array;
  /** 1 where there were new weights, traded to or not. */
  readonly signals: Uint8Array;
}

/** Rules that carry a book from session to session. */
export interface CarryRules extends Pick<AccountPlan, "keep"> {
  /** Sessions in which it is traded, and its end. */
  readonly calendar: BookCalendar;
  /** Weights in between. */
  readonly between: Between;
}

/** Carries a book from session to session, as an account that trades to the weights. */
export function carryBook(
  { values, span, tickers, signals = null }: Weights,
  marks: Marks,
  { calendar, between, keep }: CarryRules,
): Book {
  const width = tickers.length;
  const [from, to] = [Math.min(span[0], calendar.from), calendar.to];
  const end = from + Math.max(0, to - from);
  const nothing: Float64Array = new Float64Array(width).fill(NaN);
  let target = nothing;
  const targetOf = (d: number) => {
    if (d < calendar.from) return null;
    const own = values.subarray(d * width, (d + 1) * width);
    // Of sets that are in force until another one is, a session without weights has none.
    const hasEnded = signals !== null && own.every(Number.isNaN);
    if (calendar.rebalances[d] === 1) target = own;
    else if (hasEnded || between === "cash") target = nothing;
    else if (between === "drift") return null;
    return target;
  };
  return {
    ...runAccount(marks, width, { span: [from, end], targetOf, ...keep && { keep } }),
    span: [from, end],
    rebalanced: calendar.rebalances.slice(from, end),
    signals: calendar.signals.slice(from, end),
  };
}
