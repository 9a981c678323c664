import type { Grouping } from "../partition.ts";
import type { HasBuckets } from "./quantize.ts";

/** Returns of the quantiles of each session, at (session − from) × parts × quantiles + part × quantiles + quantile − 1. */
export interface QuantileCells {
  /** Mean return of the stocks with a return; NaN for none. */
  readonly means: Float64Array;
  /** The mean minus that of all stocks of the session with a score and a return. */
  readonly excess: Float64Array;
  /** Deviation of the stocks' returns, with n − 1; NaN for fewer than two. */
  readonly deviations: Float64Array;
  /** Number of stocks with a return. */
  readonly counts: Int32Array;
  /** Number of cells of a session. */
  readonly perSession: number;
}

/** Averages the returns of each quantile, and part of it, in every session; weighted by sizes, if there are any. */
export function quantileCells(
  { dense, buckets, count }: HasBuckets,
  returns: Float64Array,
  partition: Grouping | null,
  sizes: Float64Array | null = null,
): QuantileCells {
  const { from, to, tickers: { length: width }, scores } = dense;
  const perSession = count * (partition?.names.length ?? 1);
  const [size, codes] = [(to - from) * perSession, partition?.codes ?? null];
  const [means, excess] = [new Float64Array(size), new Float64Array(size)];
  const [counts, shares] = [new Int32Array(size), new Float64Array(size)];
  for (let d = from; d < to; d++) {
    const start = (d - from) * perSession;
    let [all, n] = [0, 0];
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const value = returns[cell]!;
      const share = sizes === null ? 1 : sizes[cell]!;
      if (value !== value || scores[cell] !== scores[cell] || !(share > 0)) continue;
      all += share * value;
      n += share;
      const [bucket, part] = [buckets[cell]!, codes === null ? 0 : codes[cell]!];
      if (bucket === 0 || part === -1) continue;
      const place = start + part * count + bucket - 1;
      means[place]! += share * value;
      shares[place]! += share;
      counts[place]!++;
    }
    for (let place = start; place < start + perSession; place++) {
      excess[place] = (means[place]! /= shares[place]!) - all / n;
    }
  }
  const cells = { means, excess, counts, perSession };
  let deviations: Float64Array | null = null;
  return {
    ...cells,
    get deviations() {
      return deviations ??= deviationsOf(cells, { dense, buckets, count, codes, returns });
    },
  };
}

function deviationsOf(
  { means, counts, perSession }: Omit<QuantileCells, "deviations" | "excess">,
  { dense, buckets, count, codes, returns }: HasBuckets & {
    readonly codes: Int32Array | null;
    readonly returns: Float64Array;
  },
): Float64Array {
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const squares = new Float64Array(means.length);
  for (let d = from; d < to; d++) {
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const value = returns[cell]!;
      const [bucket, part] = [buckets[cell]!, codes === null ? 0 : codes[cell]!];
      if (value !== value || bucket === 0 || part === -1) continue;
      const at = (d - from) * perSession + part * count + bucket - 1;
      squares[at]! += (value - means[at]!) ** 2;
    }
  }
  return squares.map((sum, at) => counts[at]! < 2 ? NaN : Math.sqrt(sum / (counts[at]! - 1)));
}
