import type { Marks } from "../../dense/dense_scores.ts";
import type { Reason } from "../../reason.ts";

/** Sessions of an account, and the trades in them. */
export interface AccountPlan {
  /** The first session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** Weights to trade to at the close of a session, NaN for none; `null` to leave the account alone. */
  readonly targetOf: (session: number, before: Float64Array) => Float64Array | null;
  /** Takes the weights before and after the trades of a session; both arrays are used again. */
  readonly keep?: (session: number, held: Float64Array, before: Float64Array) => void;
}

/** Returns and trades of an account from session to session. */
export interface AccountLines {
  /** Return until the next session; 0 of an empty account, NaN where there is a reason. */
  readonly returns: Float64Array;
  /** Σ|Δw|: from the weights that prices left to those that are held. */
  readonly traded: Float64Array;
  /** Σ|Δw| that was wanted of stocks without a close, and not traded. */
  readonly untraded: Float64Array;
  /** Σ|w| of what is marked at an earlier close, because there is none at the next session. */
  readonly unpriced: Float64Array;
  /** Part of the return that was earned since an earlier session, by stocks whose close is back. */
  readonly gap: Float64Array;
  /** Σ|w|. */
  readonly gross: Float64Array;
  /** Σ w. */
  readonly net: Float64Array;
  /** Number of stocks that have a close at the next session, or ended with the last. */
  readonly counts: Int32Array;
  /** Index into {@link ACCOUNT_REASONS}, −1 for none. */
  readonly reasons: Int32Array;
}

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

function linesOf(length: number): AccountLines {
  const zeros = () => new Float64Array(length);
  return {
    ...{ returns: zeros(), traded: zeros(), untraded: zeros(), unpriced: zeros(), gap: zeros() },
    ...{
      gross: zeros(),
      net: zeros(),
      counts: new Int32Array(length),
      reasons: new Int32Array(length).fill(-1),
    },
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
