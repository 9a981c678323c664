import type { DenseScores } from "../../dense/dense_scores.ts";
import { sortedOrders } from "../../dense/rank/orders.ts";

/** The rank of each stock among the values of its session, from 1; equal values share their average, NaN without a value. */
export function averageRanks(
  values: Float64Array,
  { tickers, from, to }: Pick<DenseScores, "tickers" | "from" | "to">,
): Float64Array {
  const width = tickers.length;
  const { ranks } = sortedOrders(values, width, [from, to]);
  return Float64Array.from(
    ranks.subarray(from * width, to * width),
    (doubled) => doubled === 0 ? NaN : doubled / 2,
  );
}
