import type { DataFrame } from "nodejs-polars";
import type { PermutationTestOptions } from "./permutation_test.ts";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import { givenList } from "../../base/arguments/list_text.ts";
import { checkOptions, type OptionRules } from "../../base/arguments/check_options.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { NULL_REASONS } from "../dense/rank/rank_correlation.ts";
import { rankIc } from "../cross_section/correlation/rank_ic.ts";
import { textColumn } from "../../frames/frame/typed/make_columns.ts";
import { markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { columnGrids } from "../dense/column_grids.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
const CORRELATION_COLUMNS = {
  session: "date",
  correlation: "number",
  n: "count",
  reason: "text",
} as const;

const RULES: OptionRules<Pick<PermutationTestOptions, "minNames">> = { minNames: MIN_NAMES };
const ACTION = "correlate columns";

/**
 * Spearman's correlation of two columns in each session, over the stocks that have both.
 *
 * One row per session: `session`, `correlation` (−1 to 1), `n`, `reason`.
 *
 * @param data A frame of the rows of {@link align} with another column joined to it
 * @param columns The two columns
 * @returns A frame of one row per session: the correlation, the number of stocks, and the reason why it is null
 * @throws {TypeError} If a column is missing, there are not two of them, or an option is unknown
 * @throws {RangeError} If minNames is below 2
 * @see Spearman (1904), The proof and measurement of association between two things, American Journal of Psychology 15
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorCorrelation } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B"],
 *   score: [0.2, 0.9],
 *   other: [30, 10],
 * });
 * const rows = factorCorrelation(data, ["score", "other"], { minNames: 2 });
 * if (rows.getColumn("correlation").toArray().join() !== "-1") throw new Error("they disagree");
 * ```
 */
export function factorCorrelation(
  data: HasDense | DataFrame,
  columns: readonly [string, string],
  options: Pick<PermutationTestOptions, "minNames"> = {},
): TableFrame<typeof CORRELATION_COLUMNS> {
  checkOptions("call factorCorrelation()", options, RULES);
  const { minNames = DEFAULT_MIN_NAMES } = options;
  assertTwo(columns);
  const { dense, grids } = columnGrids(ACTION, data, columns);
  const [values] = rankIc({
    scores: grids[0]!,
    returns: [grids[1]!],
    span: [dense.from, dense.to],
    width: dense.tickers.length,
    minNames,
  });
  const correlation = frameOf(CORRELATION_COLUMNS, {
    session: dense.days.slice(dense.from, dense.to),
    correlation: values!.values,
    n: values!.counts,
    reason: textColumn("reason", values!.reasons, NULL_REASONS),
  });
  return markSynthetic(correlation, dense.isSynthetic === true ? ["synthetic"] : []);
}

function assertTwo(columns: unknown): void {
  if (Array.isArray(columns) && columns.length === 2) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected the names of two columns, such as ["score", "size"], got ` +
      givenList(columns),
  );
}
