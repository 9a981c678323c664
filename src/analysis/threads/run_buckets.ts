import { assignFirst, assignTogether, type Shares } from "../dense/assign_buckets.ts";
import type { Orders } from "../dense/rank/orders.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Assignment of whole sessions to buckets by rank. */
export interface BucketTask {
  readonly kind: "buckets";
  /** The scores. */
  readonly scores: Float64Array;
  /** Their orders. */
  readonly orders: Orders;
  /** Ends of the quantiles. */
  readonly shares: Shares;
  /** Equal scores stay together, or are told apart by ticker. */
  readonly ties: "together" | "first";
  /** Number of stocks below which a session has no buckets. */
  readonly minNames: number;
  /** The bucket of each session and stock. */
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
