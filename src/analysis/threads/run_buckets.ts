import { assignFirst, assignTogether, type Shares } from "../dense/assign_buckets.ts";
import type { Orders } from "../dense/rank/orders.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Assignment of whole sessions to buckets by rank. */
export interface BucketTask {
  readonly kind: "buckets";
  /** Scores. */
  readonly scores: Float64Array;
  /** Sorted orders of the scores. */
  readonly orders: Orders;
  /** Quantile boundaries. */
  readonly shares: Shares;
  /** Treatment of ties: in one bucket, or divided by ticker. */
  readonly ties: "together" | "first";
  /** Minimum number of stocks in a session with buckets. */
  readonly minNames: number;
  /** Bucket of each session and stock. */
  readonly buckets: Uint16Array;
}

/** Prepares a {@link BucketTask}. */
export function runBuckets(
  { scores, orders, shares, ties, minNames, buckets }: BucketTask,
): SessionRunner {
  const { names } = orders;
  const assign = ties === "together" ? assignTogether : assignFirst;
  return (from, to) => {
    for (let d = from; d < to; d++) {
      const [base, count] = [d * names, orders.counts[d]!];
      if (count < minNames || count === 0) continue;
      const order = orders.order.subarray(base, base + names);
      assign({ order, count, scores, base }, shares, buckets);
    }
  };
}
