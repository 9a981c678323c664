import type { IcValues } from "../dense/ic_values.ts";
import { type Orders, sideOf } from "../dense/order/orders.ts";
import { PartSide } from "../dense/part_side.ts";
import { RankCorrelation } from "../dense/rank/rank_correlation.ts";
import type { SessionRunner } from "./take_chunks.ts";

/** Spearman's correlation of scores with returns in each part of the names of a session. */
export interface PartIcTask {
  readonly kind: "part IC";
  /** The scores and the returns, sorted, each with the place of the first session among its own. */
  readonly sides: readonly { readonly orders: Orders; readonly first: number }[];
  /** The part of each session and name; -1 for none. */
  readonly codes: Int32Array;
  /** Where the first session stands among those of the parts. */
  readonly first: number;
  /** Below how many names there is none. */
  readonly minNames: number;
  /** The correlations of each part. */
  readonly results: readonly IcValues[];
}

/** Prepares a {@link PartIcTask}, whose sessions count from its first one. */
export function runPartIc({ sides, codes, first, minNames, results }: PartIcTask): SessionRunner {
  const [scores, returns] = [sides[0]!, sides[1]!];
  const { names } = scores.orders;
  const correlation = new RankCorrelation(names);
  const [x, y] = [new PartSide(names), new PartSide(names)];
  return (from, to) => {
    for (let i = from; i < to; i++) {
      const base = (first + i) * names;
      const byScore = sideOf(scores.orders, scores.first + i);
      const byReturn = sideOf(returns.orders, returns.first + i);
      for (const [part, { values, counts, reasons }] of results.entries()) {
        x.pick(byScore, { codes, base, part });
        y.pick(byReturn, { codes, base, part });
        values[i] = correlation.measure(x, y, minNames);
        counts[i] = correlation.n;
        reasons[i] = correlation.reason;
      }
    }
  };
}
