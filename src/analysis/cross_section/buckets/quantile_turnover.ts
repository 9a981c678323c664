import type { DataFrame } from "nodejs-polars";
import { DEFAULT_MIN_NAMES, MIN_NAMES, SESSION_COUNT } from "../read_options.ts";
import { checkOptions, oneOf, type OptionRules } from "../../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { COMPARE, type EarlierOptions, earlierSessions } from "../partition.ts";
import { type HasBuckets, toQuantized } from "./quantize.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import { meanOf } from "../../../base/statistics/moments.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readNumbers } from "../../table/read_columns.ts";
import { kindsOf, type TableOf } from "../../table/columns.ts";
import { type DenseScores, type HasDense, toDense } from "../../dense/dense_frames.ts";
import {
  type IcValues,
  NULL_REASONS,
  pearsonIc,
  rankIcOfPairs,
} from "../../dense/rank/rank_correlation.ts";
import { averageRanks, sortedOrders } from "../../dense/rank/orders.ts";

/** Columns of the table, in order. */
export const TURNOVER_COLUMNS = "session quantile turnover n reason";

const RULES: OptionRules<NonNullable<Parameters<typeof quantileTurnover>[1]>> = {
  period: SESSION_COUNT,
  compare: COMPARE,
  compat: COMPAT,
};
const ACTION = "measure the turnover of quantiles";

/** Columns of the table, in order. */
export const PERIOD_COLUMNS = "period quantile mean low high sessions";

const AVERAGE = "average the turnover of quantiles";

/**
 * Share of a quantile's stocks that were not in it a number of sessions ago, or, for scores that usually skip sessions (those of
 * Fridays), at the last signal.
 *
 * One row per session and quantile: `session`, `quantile`, `turnover` (0 to 1), `n` (stocks of the quantile), `reason` (`too_few_names`
 * unless both sessions have the quantile). All stocks count equally: the turnover of a weighted portfolio differs.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns A frame of one row per session and quantile: the share of new stocks
 * @throws {RangeError} If the period is not a positive whole number
 * @see alphalens-reloaded 0.5.1, `quantile_turnover` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { quantileTurnover } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.1, 0.2, 0.3, 0.1],
 *   quantile: [1, 1, 2, 1],
 * });
 * const turnover = quantileTurnover(data).getColumn("turnover").toArray();
 * if (turnover.join() !== ",,0,") throw new Error("bucket 1 has lost A and gained none");
 * ```
 */
export function quantileTurnover(
  data: HasBuckets | DataFrame,
  options: EarlierOptions & {
    /** `"alphalens"`: the same numbers; it counts rows of its calendar, which here are sessions. @default none */
    readonly compat?: "alphalens";
  } = {},
): TableOf<typeof TURNOVER_COLUMNS> {
  checkOptions("call quantileTurnover()", options, RULES);
  presetOf("quantileTurnover", options.compat);
  const quantized = toQuantized(ACTION, data);
  const earlier = earlierSessions(quantized.dense, options);
  const { dense: { days, from, to }, count } = quantized;
  const { turnover, sizes } = turnoverOf(quantized, earlier);
  const rows = Int32Array.from(sizes, (_, row) => row);
  return frameOf(kindsOf(TURNOVER_COLUMNS), {
    session: rows.map((row) => days[from + Math.floor(row / count)]!),
    quantile: rows.map((row) => row % count + 1),
    turnover: turnover,
    n: sizes.subarray(0, (to - from) * count),
    reason: textColumn(
      "reason",
      rows.map((row) => Number.isNaN(turnover[row]!) ? 0 : -1),
      ["too_few_names"],
    ),
  });
}

/** The turnover since earlier sessions, and the size, of each quantile, at (session − from) × quantiles + quantile − 1. */
function turnoverOf(
  { dense, buckets, count }: HasBuckets,
  earlier: Int32Array,
): { readonly turnover: Float64Array; readonly sizes: Int32Array } {
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const sizes = new Int32Array((to - from) * count);
  const stayed = new Int32Array(sizes.length);
  for (let d = from; d < to; d++) {
    const start = (d - from) * count - 1;
    const before = earlier[d - from]!;
    const back = before === -1 ? -1 : (d - before) * width;
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const bucket = buckets[cell]!;
      if (bucket === 0) continue;
      sizes[start + bucket]!++;
      if (back !== -1 && buckets[cell - back] === bucket) stayed[start + bucket]!++;
    }
  }
  const turnover = Float64Array.from(sizes, (size, row) => {
    const session = earlier[Math.floor(row / count)]!;
    const before = session === -1 ? 0 : sizes[(session - from) * count + row % count]!;
    return size === 0 || before === 0 ? NaN : 1 - stayed[row]! / size;
  });
  return { turnover, sizes };
}

/**
 * Mean turnover of each quantile over several numbers of sessions: one row per number and quantile, `period`,
 * `quantile`, `mean`, `low`, `high` (5% and 95% quantiles over sessions; nearest rank), `sessions`. Null where no session has one.
 *
 * @param first Result of {@link quantileTurnover} for neighbouring sessions or signals
 * @param of The buckets and further numbers of sessions, if the buckets are in memory
 */
export function turnoverByPeriod(
  first: DataFrame,
  quantized: HasBuckets,
  periods: readonly number[],
): TableOf<typeof PERIOD_COLUMNS> {
  const further = periods.filter((period) => period > 1)
    .map((period) =>
      [period, quantileTurnover(quantized, { period, compare: "sessions" })] as const
    );
  const rows = [[1, first] as const, ...further].flatMap(([period, table]) =>
    averages(table).map((row) => [period, ...row])
  );
  return tableOfRows(rows, PERIOD_COLUMNS);
}

function averages(table: DataFrame) {
  const quantiles = readNumbers(AVERAGE, table, "quantile");
  const values = readNumbers(AVERAGE, table, "turnover");
  const count = quantiles.reduce((most, quantile) => Math.max(most, quantile), 0);
  return Array.from({ length: count }, (_, i) => {
    const own = values.filter((value, row) => quantiles[row] === i + 1 && value === value).sort();
    const at = (share: number) => own[Math.ceil(share * own.length) - 1] ?? null;
    const mean = own.length === 0 ? null : meanOf(own);
    return [i + 1, mean, at(0.05), at(0.95), own.length];
  });
}

/** Columns of the table, in order. */
export const AUTOCORRELATION_COLUMNS = "session autocorrelation n reason";

const AUTOCORRELATION_RULES: OptionRules<NonNullable<Parameters<typeof rankAutocorrelation>[1]>> = {
  period: SESSION_COUNT,
  compare: COMPARE,
  names: oneOf("common", "all"),
  minNames: MIN_NAMES,
  compat: COMPAT,
};
const AUTOCORRELATE = "compare scores with earlier ones";

/**
 * Spearman's correlation of today's scores with those of some sessions ago: 1 if no stock changes its rank. Scores that usually skip
 * sessions, such as those of Fridays, are compared with those of the last signal.
 *
 * One row per session: `session`, `autocorrelation` (−1 to 1), `n` (stocks scored on both), `reason`.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @returns A frame of one row per session: the correlation, the number of stocks, and the reason why it is null
 * @throws {RangeError} If the period is not a positive whole number, or minNames below 2
 * @see Spearman (1904), The proof and measurement of association between two things, American Journal of Psychology 15
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { rankAutocorrelation } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.1, 0.2, 0.3, 0.7],
 * });
 * const values = rankAutocorrelation(data, { minNames: 2 }).getColumn("autocorrelation").toArray();
 * if (values.join() !== ",1") throw new Error("the same order");
 * ```
 */
export function rankAutocorrelation(
  data: HasDense | DataFrame,
  options: EarlierOptions & {
    /** Ranks among the stocks scored on both sessions, or each session's own ranks. @default "common" */
    readonly names?: "common" | "all";
    /** Number of stocks scored on both below which there is none. @default 10 */
    readonly minNames?: number;
    /** `"alphalens"`: each session's own ranks, any two stocks. @default none */
    readonly compat?: "alphalens";
  } = {},
): TableOf<typeof AUTOCORRELATION_COLUMNS> {
  checkOptions("call rankAutocorrelation()", options, AUTOCORRELATION_RULES);
  const usual = presetOf("rankAutocorrelation", options.compat);
  const { names = usual.names ?? "common" } = options;
  const { minNames = usual.minNames ?? DEFAULT_MIN_NAMES } = options;
  const dense = toDense(AUTOCORRELATE, data);
  const earlier = earlierSessions(dense, options);
  const values = names === "common"
    ? ofCommonNames(dense, earlier, minNames)
    : ofOwnRanks(dense, earlier, minNames);
  return frameOf(kindsOf(AUTOCORRELATION_COLUMNS), {
    session: dense.days.slice(dense.from, dense.to),
    autocorrelation: values.values,
    n: values.counts,
    reason: textColumn("reason", values.reasons, NULL_REASONS),
  });
}

function ofCommonNames(dense: DenseScores, earlier: Int32Array, minNames: number): IcValues {
  const orders = sortedOrders(dense.scores, dense.tickers.length, [dense.from, dense.to]);
  const scored = Int32Array.from(earlier, (_, i) => dense.from + i);
  return rankIcOfPairs(orders, [orders], { scored, priced: earlier, minNames })[0]!;
}

function ofOwnRanks(dense: DenseScores, earlier: Int32Array, minNames: number): IcValues {
  const width = dense.tickers.length;
  const ranks = averageRanks(dense.scores, dense);
  const before = new Float64Array(ranks.length).fill(NaN);
  for (const [i, session] of earlier.entries()) {
    if (session === -1) continue;
    const start = (session - dense.from) * width;
    before.set(ranks.subarray(start, start + width), i * width);
  }
  const span = [0, dense.to - dense.from] as const;
  return pearsonIc({ scores: ranks, returns: [before], span, width, minNames }, null)[0]!;
}
