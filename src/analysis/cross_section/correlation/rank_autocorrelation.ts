import pl, { type DataFrame } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
} from "../../../arguments/check_options.ts";
import { sayCompat } from "../../alphalens/say_compat.ts";
import type { DenseScores } from "../../dense/dense_scores.ts";
import { type HasDense, toDense } from "../../dense/from_data_frame.ts";
import type { IcValues } from "../../dense/ic_values.ts";
import { NULL_REASONS } from "../../dense/rank/rank_correlation.ts";
import { sideOrders } from "../../dense/order/side_orders.ts";
import { countColumn, dayColumn, numberColumn, textColumn } from "../../table/make_columns.ts";
import { averageRanks } from "./average_ranks.ts";
import { pearsonIc } from "./pearson_ic.ts";
import { rankIcOfOrders } from "./rank_ic.ts";
import { sortOrders } from "./sort_orders.ts";
import { readMinNames } from "../read_min_names.ts";
import { readPeriod } from "../read_period.ts";

/** How today's scores are compared with earlier ones. */
export interface RankAutocorrelationOptions {
  /** How many sessions back the scores are compared. @default 1 */
  readonly period?: number;
  /** Ranks among the names scored on both sessions, or each session's own ranks. @default "common" */
  readonly names?: "common" | "all";
  /** Below how many names scored on both there is none. @default 10 */
  readonly minNames?: number;
  /** `"alphalens"`: each session's own ranks, any two names. @default none */
  readonly compat?: "alphalens";
}

const RULES: OptionRules<RankAutocorrelationOptions> = {
  period: ANY_VALUE,
  names: oneOf("common", "all"),
  minNames: ANY_VALUE,
  compat: oneOf("alphalens"),
};
const ACTION = "compare scores with earlier ones";

/**
 * Spearman's correlation of today's scores with those of some sessions ago: 1 if no name changes its rank.
 *
 * One row a session: `session`, `autocorrelation` (−1 to 1), `n` (names scored on both), `reason`.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @throws {RangeError} If the period is no positive whole number, or minNames below 2
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
  options: RankAutocorrelationOptions = {},
): DataFrame {
  checkOptions("rankAutocorrelation()", options, RULES);
  const { compat } = options;
  sayCompat(compat, "rankAutocorrelation(): ranks of each session among all of its own names");
  const { names = compat === undefined ? "common" : "all" } = options;
  const minNames = readMinNames(ACTION, options.minNames ?? (compat === undefined ? 10 : 2));
  const period = readPeriod(ACTION, options.period);
  const dense = toDense(ACTION, data);
  const values = names === "common"
    ? ofCommonNames(dense, period, minNames)
    : ofOwnRanks(dense, period, minNames);
  return pl.DataFrame([
    dayColumn("session", dense.days.slice(dense.from, dense.to)),
    numberColumn("autocorrelation", values.values),
    countColumn("n", values.counts),
    textColumn("reason", values.reasons, NULL_REASONS),
  ]);
}

function ofCommonNames(dense: DenseScores, period: number, minNames: number): IcValues {
  const orders = sideOrders(dense).get(dense.scores) ??
    sortOrders(dense.scores, dense.tickers.length);
  const scored = Int32Array.from({ length: dense.to - dense.from }, (_, i) => dense.from + i);
  const priced = scored.map((d) => d - period < dense.from ? -1 : d - period);
  return rankIcOfOrders(orders, [orders], { scored, priced, minNames })[0]!;
}

function ofOwnRanks(dense: DenseScores, period: number, minNames: number): IcValues {
  const width = dense.tickers.length;
  const ranks = averageRanks(dense);
  const earlier = new Float64Array(ranks.length).fill(NaN);
  const start = dense.from * width;
  // No session of a sample that is shorter than the period has an earlier one.
  const end = Math.max(start, ranks.length - period * width);
  if (end > start) earlier.set(ranks.subarray(start, end), start + period * width);
  const [values] = pearsonIc(
    { scores: ranks, returns: [earlier], span: [dense.from, dense.to], width, minNames },
    null,
  );
  return values!;
}
