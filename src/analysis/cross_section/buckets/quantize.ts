import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import {
  type DenseScores,
  type HasDense,
  presentCells,
  type QuantizedColumns,
  toDataFrame,
  toDense,
} from "../../dense/dense_frames.ts";
import { sessionsOf, sortedOrders } from "../../dense/rank/orders.ts";
import {
  assignBetween,
  assignFirst,
  assignTogether,
  equalShares,
  equalWidths,
  linearQuantiles,
  type Section,
} from "../../dense/assign_buckets.ts";
import type { TypedFrame } from "../../../frames/frame/typed/typed_frame.ts";
import { displayParts } from "../../table/frame_of_rows.ts";
import { groupPartition } from "../partition.ts";
import { type BucketRules, type QuantizeOptions, readQuantizeOptions } from "./quantize_options.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import { meanOf } from "../../../base/statistics/moments.ts";
import { periodUnit } from "../../inference/table_series.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { andText } from "../../../base/wording/words.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import { assertColumns, assertFrame } from "../../../frames/frame/assert_frame.ts";
import { readNumbers } from "../../table/read_columns.ts";
import { kindsOf, type TableOf } from "../../table/columns.ts";

/** Columns of the table, in order. */
const SIZE_COLUMNS = "session quantile names:count scored moved reason";

/** Scores with their quantiles. */
export interface Quantized extends HasDense {
  /** The rows of the data, with `quantile` (Int32, 1 is the lowest; null without a score or a quantile). */
  readonly data: TypedFrame<QuantizedColumns>;
  /**
   * One row per session and quantile: `session`, `quantile`, `names`, and of the session `scored`, `moved` (share of
   * scored stocks that ties keep out of the quantile that equal sizes would give them) and `reason` (`too_few_names`).
   */
  readonly sizes: TableOf<typeof SIZE_COLUMNS>;
  /** Number of quantiles. */
  readonly count: number;
  /** The quantile of each session and ticker; 0 for none. */
  readonly buckets: Uint16Array;
}

/**
 * Sorts the stocks of each session into quantiles by score. All scored stocks count, with or without a return.
 *
 * With `ties: "together"`, a stock with average rank R among n scored stocks is in quantile max(1, ⌈q (2R − 2) / (2 (n
 * − 1))⌉) of q, computed in whole numbers. Without ties this is `pandas.qcut`; with ties equal scores stay together, no
 * session is lost, and a quantile can be empty or large, which is why sizes are part of the result. Cost: one sort per
 * session.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @returns The quantile of each row (`data`), and the sizes of the quantiles by session (`sizes`)
 * @throws {TypeError} If groups are requested and the data have none
 * @throws {RangeError} If shares are not ascending, or with `ties: "raise"` where edges coincide
 * @see Jegadeesh and Titman (1993), Returns to buying winners and selling losers, Journal of Finance 48
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { quantize } from "scoreframe/analysis";
 *
 * const session = Array(4).fill("2026-10-30");
 * const data = pl.DataFrame({ session, ticker: ["A", "B", "C", "D"], score: [0.1, 0.4, 0.4, 0.9] });
 * const { data: rows } = quantize(data, { quantiles: 2 });
 * if (rows.getColumn("quantile").toArray().join() !== "1,1,1,2") throw new Error("ties stay together");
 * ```
 */
export function quantize(data: HasDense | DataFrame, options: QuantizeOptions = {}): Quantized {
  const rules = readQuantizeOptions(options);
  const dense = toDense("quantize", data);
  const buckets = assignAll(dense, rules);
  let frame: Quantized["data"] | null = null;
  let sizes: Quantized["sizes"] | null = null;
  const result: Quantized = {
    ...displayParts(
      () => describeSizes(result.sizes, rules.count, dense.days),
      () => ({ data: result.data, sizes: result.sizes }),
    ),
    dense,
    buckets,
    count: rules.count,
    get data() {
      return frame ??= toDataFrame<QuantizedColumns>(dense, { buckets });
    },
    get sizes() {
      return sizes ??= toBucketSizes(dense, buckets, rules);
    },
  };
  return result;
}

function assignAll(dense: DenseScores, rules: BucketRules): Uint16Array {
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const { shares, ties, minNames } = rules;
  const isRanked = shares !== null && rules.by !== "group" && rules.subset === null;
  if (!isRanked || (ties !== "together" && ties !== "first")) return assignSections(dense, rules);
  const orders = sortedOrders(scores, width, [from, to]);
  const buckets = new Uint16Array(scores.length);
  const assign = ties === "together" ? assignTogether : assignFirst;
  for (let d = from; d < to; d++) {
    const [base, count] = [d * width, orders.counts[d]!];
    if (count < minNames || count === 0) continue;
    const order = orders.order.subarray(base, base + width);
    assign({ order, count, scores, base }, shares, buckets);
  }
  return buckets;
}

function assignSections(dense: DenseScores, rules: BucketRules): Uint16Array {
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const buckets = new Uint16Array(scores.length);
  const parts = rules.by === "group" ? groupPartition("quantize by group", dense) : null;
  const subset = rules.subset === null ? null : subsetOf(dense, rules.subset);
  const sessionOf = sessionsOf(sortedOrders(scores, width, [from, to]));
  for (let d = from; d < to; d++) {
    const base = d * width;
    const { order, count } = sessionOf(d);
    const whole = { order, count, scores, base };
    const sections = parts === null
      ? [whole]
      : parts.names.map((_, part) => restrict(whole, (cell) => parts.codes[cell] === part));
    for (const section of sections) {
      if (section.count < rules.minNames || section.count === 0) continue;
      const setters = subset === null ? section : restrict(section, (cell) => subset[cell] === 1);
      const day = dense.days[d]!;
      assignOne(section, rules, { setters, out: buckets, day });
    }
  }
  return buckets;
}

interface Target {
  readonly setters: Section;
  readonly out: Uint16Array;
  readonly day: number;
}

function assignOne(section: Section, rules: BucketRules, { setters, out, day }: Target): void {
  const { shares, bins, ties } = rules;
  if (bins !== null) {
    const edges = typeof bins === "number" ? equalWidths(section, bins) : bins;
    return assignBetween(section, edges, { out, isOpen: false, holdsLowest: false });
  }
  if (ties === "together") return assignTogether(section, shares!, out);
  if (ties === "first") return assignFirst(section, shares!, out);
  if (setters.count < rules.minNames) return;
  const isOpen = typeof shares === "number";
  const edges = linearQuantiles(
    setters,
    typeof shares === "number" ? equalShares(shares) : shares!,
  );
  const same = edges.findIndex((edge, i) => i > 0 && edge === edges[i - 1]);
  if (same !== -1 && ties === "none" && edges.length > 2) return;
  if (same !== -1 && ties === "raise") {
    throw new RangeError(
      `Cannot quantize: expected quantiles that differ, got ${edges[same]} twice on ` +
        `${fromEpochDay(day)}; leave ties at "together"`,
    );
  }
  assignBetween(section, edges, { out, isOpen, holdsLowest: true });
}

function restrict(section: Section, holds: (cell: number) => boolean): Section {
  const order = section.order.subarray(0, section.count)
    .filter((name) => holds(section.base + name));
  return { ...section, order, count: order.length };
}

function subsetOf(dense: DenseScores, subset: NonNullable<BucketRules["subset"]>): Uint8Array {
  const chosen = toDataFrame(dense)
    .select(subset.cast(pl.Bool).fillNull(pl.lit(false)).alias("chosen"))
    .getColumn("chosen").toArray() as boolean[];
  const marks = new Uint8Array(dense.scores.length);
  for (const [row, cell] of presentCells(dense.present).entries()) {
    marks[cell] = chosen[row] ? 1 : 0;
  }
  return marks;
}

/** Number of stocks of each quantile, session by session. */
function toBucketSizes(
  dense: DenseScores,
  buckets: Uint16Array,
  rules: BucketRules,
): TableOf<typeof SIZE_COLUMNS> {
  const { days, from } = dense;
  const { names, scored, moved } = countBuckets(dense, buckets, rules);
  const sessionOf = Int32Array.from(names, (_, row) => Math.floor(row / rules.count));
  const isEmpty = (session: number) =>
    names.subarray(session * rules.count, (session + 1) * rules.count).every((size) => size === 0);
  return frameOf(kindsOf(SIZE_COLUMNS), {
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
function describeSizes(
  sizes: TableOf<typeof SIZE_COLUMNS>,
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

/** Scores with the bucket of each session and ticker. */
export type HasBuckets = Pick<Quantized, "dense" | "buckets" | "count">;

/**
 * The buckets of the input of a statistic: the result of `quantize()`, or a frame of its rows.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {TypeError} If it is neither, or has no column `quantile`
 */
export function toQuantized(action: string, data: HasBuckets | DataFrame): HasBuckets {
  const given = data as Partial<HasBuckets> | null | undefined;
  if (given?.buckets instanceof Uint16Array) return data as HasBuckets;
  if ((given as { dense?: unknown } | null | undefined)?.dense !== undefined) {
    throw new TypeError(
      `Cannot ${action}: expected quantiles, got aligned scores; give the result of quantize()`,
    );
  }
  assertFrame(action, data);
  assertColumns(action, data, ["quantile"]);
  const dense = toDense(action, data);
  const buckets = new Uint16Array(dense.scores.length);
  // A frame's rows may come in any order; those of the cells do not.
  const sorted = data.sort(["session", "ticker"]);
  const quantiles = readNumbers(action, sorted, "quantile");
  let count = 0;
  for (const [row, cell] of presentCells(dense.present).entries()) {
    const bucket = quantiles[row]! || 0;
    buckets[cell] = bucket;
    if (bucket > count) count = bucket;
  }
  return { dense, buckets, count };
}
