import type { Marks } from "../../dense/dense_frames.ts";
import type { Reason } from "../../reason.ts";
import { SESSION_COUNT } from "../../cross_section/read_options.ts";
import { oneOf, type OptionRules, ruleOf } from "../../../base/arguments/check_options.ts";
import { type CalendarDate, isCalendarDate } from "../../../base/contract/instant.ts";
import { calendarSpan, toEpochDay } from "../../../base/calendar/civil_date.ts";
import { usualGap } from "../../dense/days.ts";
import type { Weights } from "../weights.ts";

/** Sessions of an account, and the trades in them. */
interface AccountPlan {
  /** The first session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** Weights to trade to at the close of a session, NaN for none; `null` to leave the account alone. */
  readonly targetOf: (session: number, before: Float64Array) => Float64Array | null;
  /** Takes the weights before and after the trades of a session; both arrays are used again. */
  readonly keep?: (session: number, held: Float64Array, before: Float64Array) => void;
}

/** Lines of an account by session. */
type AccountLines = ReturnType<typeof linesOf>;

/** Reasons why a session has no return, by code. */
export const ACCOUNT_REASONS = [
  "beyond_prices",
  "no_exit_price",
  "total_loss",
] as const satisfies readonly Reason[];
const [BEYOND, UNKNOWN, LOST] = ACCOUNT_REASONS.keys();

/**
 * Runs an account in shares: positions are bought and sold at closes that exist, are marked at their last close while there is
 * none, and book the whole move in the session of the next one; a stock that has ended turns into cash at its last close. The
 * capital that is not held is cash, without interest. An account that lost everything trades no more.
 */
export function runAccount(marks: Marks, width: number, plan: AccountPlan): AccountLines {
  const [from, to] = plan.span;
  const length = Math.max(0, to - from);
  const lines = linesOf(length);
  const [held, before] = [new Float64Array(width).fill(NaN), new Float64Array(width).fill(NaN)];
  let isLost = false;
  for (let place = 0; place < length; place++) {
    const d = from + place;
    if (isLost) {
      lines.returns[place] = NaN;
      lines.reasons[place] = LOST!;
      continue;
    }
    before.set(held);
    const target = plan.targetOf(d, before);
    if (target !== null) trade({ lines, marks, place, d }, held, target);
    plan.keep?.(d, held, before);
    isLost = earn({ lines, marks, place, d }, held, d >= marks.until);
    if (isLost) held.fill(NaN);
  }
  return lines;
}

function linesOf(length: number) {
  const zeros = () => new Float64Array(length);
  return {
    returns: zeros(),
    traded: zeros(),
    untraded: zeros(),
    unpriced: zeros(),
    gap: zeros(),
    gross: zeros(),
    net: zeros(),
    counts: new Int32Array(length),
    reasons: new Int32Array(length).fill(-1),
  };
}

interface At {
  readonly lines: AccountLines;
  readonly marks: Marks;
  readonly place: number;
  readonly d: number;
}

/** Trades what has a close; what has none is kept as it is. */
function trade(
  { lines, marks: { priced }, place, d }: At,
  held: Float64Array,
  target: Float64Array,
): void {
  let [traded, untraded] = [0, 0];
  for (let name = 0; name < held.length; name++) {
    const [own, wanted] = [held[name]!, target[name]!];
    const size = Math.abs((wanted || 0) - (own || 0));
    if (priced[d * held.length + name] === 1) {
      held[name] = wanted;
      traded += size;
    } else untraded += size;
  }
  lines.traded[place] = traded;
  lines.untraded[place] = untraded;
}

/** Marks the account at the next session; true if nothing is left. */
function earn(
  { lines, marks: { moves, priced, ends }, place, d }: At,
  held: Float64Array,
  isBeyond: boolean,
): boolean {
  const [here, next] = [d * held.length, (d + 1) * held.length];
  let [gain, gap, unpriced, net, gross, n] = [0, 0, 0, 0, 0, 0];
  let isUnknown = false;
  for (let name = 0; name < held.length; name++) {
    const weight = held[name]!;
    if (weight !== weight) continue;
    gross += Math.abs(weight);
    net += weight;
    if (priced[next + name] === 0 && ends[here + name] === 0) {
      unpriced += Math.abs(weight);
      continue;
    }
    n++;
    const move = moves[here + name]!;
    if (move === move) {
      gain += weight * move;
      if (priced[here + name] === 0) gap += weight * move;
    } else if (weight !== 0) isUnknown = true;
  }
  lines.gross[place] = gross;
  lines.net[place] = net;
  if (isBeyond && gross > 0) lines.reasons[place] = BEYOND!;
  else if (isUnknown) lines.reasons[place] = UNKNOWN!;
  lines.returns[place] = lines.reasons[place] === -1 ? gain : NaN;
  lines.unpriced[place] = isBeyond ? 0 : unpriced;
  lines.gap[place] = gap;
  lines.counts[place] = n;
  drift(held, { moves, ends, here, growth: 1 + gain });
  return !(1 + gain > 0);
}

/** Moves weights with prices: w (1 + r) / (1 + return of the account); a position that has ended becomes cash. */
function drift(
  held: Float64Array,
  { moves, ends, here, growth }: Pick<Marks, "moves" | "ends"> & {
    readonly here: number;
    readonly growth: number;
  },
): void {
  for (let name = 0; name < held.length; name++) {
    const weight = held[name]!;
    if (weight !== weight) continue;
    held[name] = ends[here + name] === 1 ? NaN : weight * (1 + (moves[here + name]! || 0)) / growth;
  }
}

/** Accepted rules of a book. */
export const BOOK_RULES: OptionRules<BookRules> = {
  rebalance: ruleOf(
    'a whole number of sessions, at least 1, "signal", "weekly", "monthly", or an array of dates such as ' +
      '["2026-01-02"]; "signal" trades whenever there are new weights',
    (value) =>
      ["signal", "weekly", "monthly"].includes(value as string) || SESSION_COUNT.accepts(value) ||
      (Array.isArray(value) && value.length > 0 && value.every(isCalendarDate)),
    { isKind: (value) => typeof value === "number" },
  ),
  between: oneOf("drift", "restore", "cash"),
};

/** Rebalancing of a book, and its weights in between. */
export interface BookRules {
  /** Sessions with new weights in which the book is traded to them. @default "signal" */
  readonly rebalance?: "signal" | "weekly" | "monthly" | number | readonly CalendarDate[];
  /** Weights in between. @default "drift" */
  readonly between?: "drift" | "restore" | "cash";
}

/**
 * Sessions with new weights in which a book is traded to them: `signal`: at each; `weekly`, `monthly`: at the first
 * of each calendar week or month; a number: at the first in each span of so many sessions; dates: at the first on or after each.
 */
export type Rebalance = NonNullable<BookRules["rebalance"]>;

/**
 * Weights of a book until it is traded again: `drift`: they move with prices; `restore`: the book is brought back to its
 * weights in every session, and that is traded; `cash`: it is closed after one session.
 */
export type Between = NonNullable<BookRules["between"]>;

/** The rules of a book, with every default stated. */
export function bookRules(
  { rebalance = "signal", between = "drift" }: BookRules,
): Required<BookRules> {
  return { rebalance, between };
}

/** Holdings in each session of a book, their return until the next one, and the trades behind them. */
export interface Book extends AccountLines {
  /** The first session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** One more than the last session from which something can be earned. */
  readonly until: number;
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
    else if (d > 0) {
      target = target.map((own, name) => marks.ends[(d - 1) * width + name] === 1 ? NaN : own);
    }
    return target;
  };
  return {
    ...runAccount(marks, width, { span: [from, end], targetOf, ...keep && { keep } }),
    span: [from, end],
    until: marks.until,
    rebalanced: calendar.rebalances.slice(from, end),
    signals: calendar.signals.slice(from, end),
  };
}

/** Sessions in which weights are new: those that they name, else all with a weight. */
function signalsOf({ days, tickers, values, span, signals = null }: Weights) {
  const width = tickers.length;
  const weighed = new Uint8Array(days.length);
  for (let cell = span[0] * width; cell < span[1] * width; cell++) {
    if (values[cell] === values[cell]) weighed[Math.floor(cell / width)] = 1;
  }
  if (signals === null) return { days, signals: weighed, span, livesOn: true };
  const own = signals.map((mark, d) => mark & weighed[d]!);
  return { days, signals: own, span, livesOn: false };
}

/**
 * Sessions in which a book is traded. Its last weights live for one usual gap between signals; a single one lives until the sessions end.
 */
function bookCalendar(
  { days, signals, span, livesOn }: ReturnType<typeof signalsOf>,
  rebalance: Rebalance,
) {
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
