/** Wealth after each session, from 1 before the first; a missing return leaves it as it is, and a total loss stays 0. */
export function wealthOf(returns: Float64Array): Float64Array {
  let wealth = 1;
  return returns.map((value) => Number.isNaN(value) ? wealth : wealth *= Math.max(0, 1 + value));
}

/** Place of the return that loses everything; −1 if none does. */
export function lossOf(returns: Float64Array): number {
  return returns.findIndex((value) => value <= -1);
}

/** Returns as far as there is capital: after a total loss nothing is earned, whatever prices do. */
export function untilLoss(returns: Float64Array): Float64Array {
  const loss = lossOf(returns);
  return loss === -1 ? returns : returns.map((value, i) => i > loss ? NaN : value);
}

/**
 * The compounded return of a year; −1 if nothing is left, `null` without a return. Wealth stands still in a session without a
 * return, so that such sessions count between the first return and the last.
 *
 * @param year Number of sessions of a year
 */
export function annualOf(returns: Float64Array, year: number): number | null {
  const first = returns.findIndex((value) => !Number.isNaN(value));
  if (first === -1) return null;
  const last = returns.findLastIndex((value) => !Number.isNaN(value));
  return wealthOf(returns)[last]! ** (year / (last - first + 1)) - 1;
}

/** A drawdown, from a peak of wealth to its recovery. */
export interface Fall {
  /** Lowest wealth over the peak, less 1. */
  readonly depth: number;
  /** Place of the peak; −1 is the start, before the first return. */
  readonly peak: number;
  /** Place of the lowest wealth; the first one, if it stands there more than once. */
  readonly trough: number;
  /** Place at which the peak is reached again; `null` if it is not. */
  readonly recovery: number | null;
}

/** Every drawdown of wealth from 1 at the start, oldest first. */
export function fallsOf(wealth: Float64Array): readonly Fall[] {
  const falls: Fall[] = [];
  let [top, peak] = [1, -1];
  let open: { depth: number; trough: number } | null = null;
  for (let i = 0; i < wealth.length; i++) {
    const value = wealth[i]!;
    if (value >= top) {
      if (open !== null) falls.push({ ...open, peak, recovery: i });
      // A top that is flat begins with its first session.
      if (open !== null || value > top) [top, peak] = [value, i];
      open = null;
      continue;
    }
    const depth = value / top - 1;
    if (open === null || depth < open.depth) open = { depth, trough: i };
  }
  if (open !== null) falls.push({ ...open, peak, recovery: null });
  return falls;
}
