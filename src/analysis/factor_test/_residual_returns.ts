import type { DenseScores } from "../dense/dense_scores.ts";

// A beta from fewer sessions is less reliable than a beta of 1.
const LEAST_SESSIONS = 20;

/** Inputs of residual returns. */
export interface Residuals {
  /** The returns of one session. */
  readonly returns: Float64Array;
  /** Market return in each session of the scores; NaN for none. */
  readonly market: Float64Array;
  /** True if the mean return of each group is subtracted as well. */
  readonly isByGroup: boolean;
}

/**
 * Prepares returns net of the market and, within groups, of the group: the return minus beta times that of the
 * market, minus the mean over the scored stocks of the group. Beta is the slope of the stock's returns over all sessions of
 * the scores, and 1 with fewer than 20 of them. The intercept stays in, because a score may forecast the trend of a stock.
 *
 * @returns A function that writes the residuals of a session by stock; NaN without a return, a score or, within groups, a group
 */
export function residualReturns(
  dense: DenseScores,
  of: Residuals,
): (session: number, row: Float64Array) => void {
  const width = dense.tickers.length;
  const betas = betasOf(dense, of);
  const groups = of.isByGroup ? dense.groups : null;
  const sums = new Float64Array(groups?.names.length ?? 0);
  const counts = new Int32Array(groups?.names.length ?? 0);
  return (session, row) => {
    const start = session * width;
    const market = of.market[session - dense.from]!;
    for (let name = 0; name < width; name++) {
      const isScored = dense.scores[start + name] === dense.scores[start + name];
      row[name] = isScored ? of.returns[start + name]! - betas[name]! * market : NaN;
    }
    if (groups === null) return;
    sums.fill(0);
    counts.fill(0);
    for (let name = 0; name < width; name++) {
      const group = groups.codes[start + name]!;
      if (group === -1 || row[name] !== row[name]) continue;
      sums[group]! += row[name]!;
      counts[group]!++;
    }
    for (let name = 0; name < width; name++) {
      const group = groups.codes[start + name]!;
      row[name]! -= group === -1 ? NaN : sums[group]! / counts[group]!;
    }
  };
}

function betasOf({ tickers, from, to }: DenseScores, { returns, market }: Residuals): Float64Array {
  const width = tickers.length;
  const [n, x, y, xx, xy] = Array.from({ length: 5 }, () => new Float64Array(width));
  const known = market.filter((value) => value === value);
  const centre = known.reduce((sum, value) => sum + value, 0) / known.length;
  for (let session = from; session < to; session++) {
    const moved = market[session - from]! - centre;
    if (moved !== moved) continue;
    for (let name = 0; name < width; name++) {
      const value = returns[session * width + name]!;
      if (value !== value) continue;
      n![name]!++;
      x![name]! += moved;
      y![name]! += value;
      xx![name]! += moved * moved;
      xy![name]! += moved * value;
    }
  }
  return Float64Array.from({ length: width }, (_, name) => {
    const count = n![name]!;
    const spread = xx![name]! - x![name]! ** 2 / count;
    if (count < LEAST_SESSIONS || !(spread > 0)) return 1;
    return (xy![name]! - x![name]! * y![name]! / count) / spread;
  });
}
