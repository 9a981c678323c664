import type { Weights } from "../weights.ts";
import type { BookCalendar } from "./book_calendar.ts";
import type { Between } from "./book_rules.ts";

/** Holdings in each session of a book, their return until the next one, and the trades behind them. */
export interface Book {
  /** The first session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** Weights from each session on, as sessions × tickers of all sessions; NaN for a stock that is not in the book. */
  readonly held: Float64Array;
  /** Σ w r over the stocks with a return; 0 of an empty book, NaN if no stock of it has a return. */
  readonly returns: Float64Array;
  /** Σ|Δw|: from the weights that prices left to those that are held. */
  readonly traded: Float64Array;
  /** Σ|w| of what has no return. */
  readonly missing: Float64Array;
  /** Σ w of the stocks with a return: of a neutral book 0, but for drift and for stocks without one. */
  readonly net: Float64Array;
  /** Number of stocks with a return. */
  readonly counts: Int32Array;
  /** 1 where the book is traded to new weights. */
  readonly rebalanced: Uint8Array;
  /** 1 where there were new weights, traded to or not. */
  readonly signals: Uint8Array;
}

/** Rules that carry a book from session to session. */
export interface CarryRules {
  /** Sessions in which it is traded, and its end. */
  readonly calendar: BookCalendar;
  /** Weights in between. */
  readonly between: Between;
}

/**
 * Carries a book from session to session. Between two rebalancings its weights move with prices: w (1 + r) / (1 + return of
 * the book); a stock without a return keeps its value. Trades lead from there to the new weights.
 *
 * @param returns The returns of one session, laid out as the weights
 */
export function carryBook(
  weights: Weights,
  returns: Float64Array,
  { calendar, between }: CarryRules,
): Book {
  const { values, span, tickers, signals = null } = weights;
  const width = tickers.length;
  const [from, to] = [Math.min(span[0], calendar.from), calendar.to];
  const length = Math.max(0, to - from);
  const book = {
    span: [from, from + length] as const,
    held: new Float64Array(values.length).fill(NaN),
    returns: new Float64Array(length).fill(NaN),
    traded: new Float64Array(length),
    missing: new Float64Array(length),
    net: new Float64Array(length),
    counts: new Int32Array(length),
    rebalanced: calendar.rebalances.slice(from, from + length),
    signals: calendar.signals.slice(from, from + length),
  };
  const nothing: Float64Array = new Float64Array(width).fill(NaN);
  let [before, target] = [nothing, nothing];
  for (let d = calendar.from; d < to; d++) {
    const own = values.subarray(d * width, (d + 1) * width);
    // Of sets that are in force until another one is, a session without weights has none.
    const hasEnded = signals !== null && own.every(Number.isNaN);
    if (calendar.rebalances[d] === 1) target = own;
    else if (hasEnded || between === "cash") target = nothing;
    const isKept = between === "drift" && calendar.rebalances[d] === 0 && !hasEnded;
    const held = isKept ? before : target;
    book.held.set(held, d * width);
    before = holdSession(book, { place: d - from, before, held }, returns.subarray(d * width));
  }
  return book;
}

interface Held {
  readonly place: number;
  readonly before: Float64Array;
  readonly held: Float64Array;
}

/** Notes the return of a session's book, and gives the weights that prices leave. */
function holdSession(
  book: Book,
  { place, before, held }: Held,
  returns: Float64Array,
): Float64Array {
  let [traded, gross, missing, net, gain, n] = [0, 0, 0, 0, 0, 0];
  for (let name = 0; name < held.length; name++) {
    const weight = held[name]!;
    traded += Math.abs((weight || 0) - (before[name]! || 0));
    if (weight !== weight) continue;
    const own = returns[name]!;
    gross += Math.abs(weight);
    if (own === own) {
      gain += weight * own;
      net += weight;
      n++;
    } else missing += Math.abs(weight);
  }
  book.traded[place] = traded;
  book.missing[place] = missing;
  book.net[place] = net;
  book.counts[place] = n;
  book.returns[place] = n === 0 && gross > 0 ? NaN : gain;
  return driftedWeights(held, returns, gain);
}

/** Weights that prices leave at the next session: w (1 + r) / (1 + return of the book). */
export function driftedWeights(
  held: Float64Array,
  returns: Float64Array,
  gain: number,
): Float64Array {
  const growth = 1 + gain;
  // A book that lost everything has no weights left that could drift.
  if (!(growth > 0)) return held;
  return held.map((weight, name) => weight * (1 + (returns[name]! || 0)) / growth);
}
