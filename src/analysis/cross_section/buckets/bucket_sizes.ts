import type { DenseScores } from "../../dense/dense_scores.ts";
import { sessionsOf } from "../../dense/rank/orders.ts";
import { sortedOrders } from "../../threads/sorted_orders.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { assignFirst } from "../../dense/assign_buckets.ts";
import type { BucketRules } from "./quantize_options.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const SIZE_COLUMNS = {
  session: "date",
  quantile: "count",
  names: "count",
  scored: "count",
  moved: "number",
  reason: "text",
} as const;

/** Number of stocks of each quantile, session by session. */
export function toBucketSizes(
  dense: DenseScores,
  buckets: Uint16Array,
  rules: BucketRules,
): TableFrame<typeof SIZE_COLUMNS> {
  const { days, from } = dense;
  const { names, scored, moved } = countBuckets(dense, buckets, rules);
  const sessionOf = Int32Array.from(names, (_, row) => Math.floor(row / rules.count));
  const isEmpty = (session: number) =>
    names.subarray(session * rules.count, (session + 1) * rules.count).every((size) => size === 0);
  return frameOf(SIZE_COLUMNS, {
    session: sessionOf.map((session) => days[from + session]!),
    quantile: sessionOf.map((_, row) => row % rules.count + 1),
    names: names,
    scored: sessionOf.map((session) => scored[session]!),
    moved: Float64Array.from(sessionOf, (session) => moved[session]!),
    reason: textColumn("reason", sessionOf.map((session) => isEmpty(session) ? 0 : -1), [
      "too_few_names",
    ]),
  });
}

interface Counted {
  readonly names: Int32Array;
  readonly scored: Int32Array;
  readonly moved: Float64Array;
}

function countBuckets(dense: DenseScores, buckets: Uint16Array, rules: BucketRules): Counted {
  const { tickers, from, to, scores } = dense;
  const width = tickers.length;
  const names = new Int32Array((to - from) * rules.count);
  const scored = new Int32Array(to - from);
  const moved = new Float64Array(to - from).fill(NaN);
  const sessionOf = sessionsOf(sortedOrders(scores, width, [from, to]));
  const plain = new Uint16Array(scores.length);
  for (let d = from; d < to; d++) {
    const base = d * width;
    const { order, count } = sessionOf(d);
    scored[d - from] = count;
    if (rules.shares !== null) assignFirst({ order, count, scores, base }, rules.shares, plain);
    let [others, bucketed] = [0, 0];
    for (let cell = base; cell < base + width; cell++) {
      const bucket = buckets[cell]!;
      if (bucket === 0) continue;
      bucketed++;
      names[(d - from) * rules.count + bucket - 1]!++;
      if (bucket !== plain[cell]) others++;
    }
    const isComparable = bucketed > 0 && rules.shares !== null && rules.by === "session";
    if (isComparable) moved[d - from] = others / bucketed;
  }
  return { names, scored, moved };
}
