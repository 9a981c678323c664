import type { DataFrame } from "nodejs-polars";
import { DEFAULT_MIN_NAMES, MIN_NAMES, SESSION_COUNT } from "../read_options.ts";
import { checkOptions, oneOf, type OptionRules } from "../../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import { type DenseScores, type HasDense, toDense } from "../../dense/dense_frames.ts";
import {
  type IcValues,
  NULL_REASONS,
  pearsonIc,
  rankIcOfPairs,
} from "../../dense/rank/rank_correlation.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { COMPARE, type EarlierOptions, earlierSessions } from "../partition.ts";
import { averageRanks, sortedOrders } from "../../dense/rank/orders.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import { kindsOf, type TableOf } from "../../table/columns.ts";

/** Columns of the table, in order. */
export const AUTOCORRELATION_COLUMNS = "session autocorrelation n reason";

const RULES: OptionRules<NonNullable<Parameters<typeof rankAutocorrelation>[1]>> = {
  period: SESSION_COUNT,
  compare: COMPARE,
  names: oneOf("common", "all"),
  minNames: MIN_NAMES,
  compat: COMPAT,
};
const ACTION = "compare scores with earlier ones";

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
  checkOptions("call rankAutocorrelation()", options, RULES);
  const usual = presetOf("rankAutocorrelation", options.compat);
  const { names = usual.names ?? "common" } = options;
  const { minNames = usual.minNames ?? DEFAULT_MIN_NAMES } = options;
  const dense = toDense(ACTION, data);
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
