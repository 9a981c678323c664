import type { Marks } from "../../dense/dense_scores.ts";
import type { Weights } from "../weights.ts";
import { type AccountLines, type AccountPlan, runAccount } from "./account.ts";
import { bookCalendar, type Signals } from "./book_calendar.ts";
import { type BookRules, bookRules } from "./book_rules.ts";

/** Holdings in each session of a book, their return until the next one, and the trades behind them. */
export interface Book extends AccountLines {
  /** The first session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** 1 where the book is traded to new weights. */
  readonly rebalanced: Uint8Array;
  /** 1 where there were new weights, traded to or not. */
  readonly signals: Uint8Array;
}

/** Carries a book from session to session, as an account that trades to the weights. */
export function carryBook(
  weights: Weights,
  marks: Marks,
  options: BookRules,
  keep?: NonNullable<AccountPlan["keep"]>,
): Book {
  const { values, span, tickers, signals = null } = weights;
  const { rebalance, between } = bookRules(options);
  const calendar = bookCalendar(signalsOf(weights), rebalance);
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

/** Sessions in which weights are new: those that they name, else all with a weight. */
function signalsOf({ days, tickers, values, span, signals = null }: Weights): Signals {
  const width = tickers.length;
  const weighed = new Uint8Array(days.length);
  for (let cell = span[0] * width; cell < span[1] * width; cell++) {
    if (values[cell] === values[cell]) weighed[Math.floor(cell / width)] = 1;
  }
  if (signals === null) return { days, signals: weighed, span, livesOn: true };
  const own = signals.map((mark, d) => mark & weighed[d]!);
  return { days, signals: own, span, livesOn: false };
}
