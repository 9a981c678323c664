import {
  assignFirst,
  assignTogether,
  type Shares,
} from "../cross_section/buckets/assign_buckets.ts";
import { type SortedArrays, SortedScores } from "../dense/order/sorted_scores.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Buckets of whole sessions by rank. */
export interface BucketTask {
  readonly kind: "buckets";
  /** The scores and their orders, as far as they are known. */
  readonly sorted: SortedArrays;
  /** Where buckets end. */
  readonly shares: Shares;
  /** Whether equal scores stay together, or are told apart by ticker. */
  readonly ties: "together" | "first";
  /** Below how many names a session has no buckets. */
  readonly minNames: number;
  /** The bucket of each session and name. */
  readonly buckets: Uint16Array;
}

/** Prepares a {@link BucketTask}. */
export function runBuckets(
  { sorted: arrays, shares, ties, minNames, buckets }: BucketTask,
): SessionRunner {
  const { values: scores, width } = arrays;
  const sorted = new SortedScores(arrays);
  return (from, to) => {
    for (let d = from; d < to; d++) {
      const { order, count } = sorted.session(d);
      if (count < minNames || count === 0) continue;
      const section = { order, count, scores, base: d * width };
      if (ties === "together") assignTogether(section, shares, buckets);
      else assignFirst(section, shares, buckets);
    }
  };
}
