import type { DenseScores } from "../../dense/dense_scores.ts";
import { sessionsOf } from "../../dense/rank/orders.ts";
import { sortedOrders } from "../../dense/rank/orders.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { assignFirst } from "../../dense/assign_buckets.ts";
import type { BucketRules } from "./quantize_options.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import { meanOf } from "../../../base/statistics/moments.ts";
import { periodUnit } from "../../inference/table_series.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { andText } from "../../../base/wording/words.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";

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

function countBuckets(dense: DenseScores, buckets: Uint16Array, rules: BucketRules) {
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

/** Sizes of the quantiles in sentences: stocks, the effect of ties, sessions without quantiles. */
export function describeSizes(
  sizes: TableFrame<typeof SIZE_COLUMNS>,
  count: number,
  days: Int32Array,
): string {
  const rows = sizes.toRecords();
  const firsts = rows.filter((row) => row.quantile === 1);
  const filled = rows.filter((row) => row.reason === null);
  const without = firsts.filter((row) => row.reason !== null).length;
  const head = `${countText(count, "quantile")} in ${countText(firsts.length, "session")}`;
  if (filled.length === 0) return `${head}: no session has enough stocks.`;
  const held = Array.from({ length: count }, (_, place) => {
    const own = filled.filter((row) => row.quantile === place + 1);
    return decimalText(meanOf(own.map((row) => Number(row.names))), 1);
  });
  const moved = firsts.flatMap((row) => row.moved === null ? [] : [row.moved]);
  const text = [
    `${head}, with ${andText(held)} stocks on average from the lowest to the highest.`,
    ...(moved.length === 0
      ? []
      : [`Ties keep ${percentText(meanOf(moved))} of stocks out of quantiles of equal size.`]),
    ...(without === 0 ? [] : [
      `${countText(without, "session")} ${without === 1 ? "has" : "have"} no quantiles, because ` +
      "of too few stocks.",
    ]),
  ].join(" ");
  return periodText(text, periodUnit(days, true));
}
