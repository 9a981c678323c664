import pl, { type DataFrame } from "nodejs-polars";
import { Argsort } from "../../dense/order/argsort.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import { orderNames } from "../../dense/order/orders.ts";
import { countColumn, dayColumn, numberColumn, textColumn } from "../../table/make_columns.ts";
import { assignFirst } from "./assign_buckets.ts";
import type { BucketRules } from "./quantize_options.ts";

/** How many names each bucket holds, session by session. */
export function toBucketSizes(
  dense: DenseScores,
  buckets: Uint16Array,
  rules: BucketRules,
): DataFrame {
  const { days, from } = dense;
  const { names, scored, moved } = countBuckets(dense, buckets, rules);
  const sessionOf = Int32Array.from(names, (_, row) => Math.floor(row / rules.count));
  const isEmpty = (session: number) =>
    names.subarray(session * rules.count, (session + 1) * rules.count).every((size) => size === 0);
  return pl.DataFrame([
    dayColumn("session", sessionOf.map((session) => days[from + session]!)),
    countColumn("quantile", sessionOf.map((_, row) => row % rules.count + 1)),
    countColumn("names", names),
    countColumn("scored", sessionOf.map((session) => scored[session]!)),
    numberColumn("moved", Float64Array.from(sessionOf, (session) => moved[session]!)),
    textColumn("reason", sessionOf.map((session) => isEmpty(session) ? 0 : -1), ["too_few_names"]),
  ]);
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
  const argsort = new Argsort(width);
  const order = new Int32Array(width);
  const plain = new Uint16Array(scores.length);
  for (let d = from; d < to; d++) {
    const base = d * width;
    const count = orderNames(order, { values: scores, base }, argsort);
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
