import type { DataFrame } from "nodejs-polars";
import { quantileTable } from "./quantile_returns.ts";
import type { HasBuckets } from "./to_quantized.ts";

/**
 * Mean returns of one session by session and quantile, where stocks stay in their quantiles until there are new scores: a session
 * without scores keeps the quantiles of the last one that has some. Sets that stay in force until the next one are left unchanged.
 *
 * @param span The sessions
 */
export function heldQuantiles(
  { dense, buckets, count }: HasBuckets,
  [from, to]: readonly [from: number, to: number],
): DataFrame {
  const width = dense.tickers.length;
  const scores = dense.scores.slice();
  const held = buckets.slice();
  let last = -1;
  for (let d = from; d < to; d++) {
    const own = scores.subarray(d * width, (d + 1) * width);
    if (own.some((score) => score === score)) last = d;
    else if (last !== -1 && (dense.signals ?? null) === null) {
      scores.copyWithin(d * width, last * width, (last + 1) * width);
      held.copyWithin(d * width, last * width, (last + 1) * width);
    }
  }
  const returns = new Map([...dense.returns].filter(([horizon]) => horizon === 1));
  const carried = { ...dense, scores, from, to, periods: [1], returns };
  return quantileTable({ dense: carried, buckets: held, count });
}
