/** Wealth after each session, from 1 before the first; a missing return leaves it as it is. */
export function wealthOf(returns: Float64Array): Float64Array {
  let wealth = 1;
  return returns.map((value) => Number.isNaN(value) ? wealth : wealth *= 1 + value);
}

/** A fall from a peak of wealth to where the peak is reached again. */
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

/** Every fall of wealth from 1 at the start, oldest first. */
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
