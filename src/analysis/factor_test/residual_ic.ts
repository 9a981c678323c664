import type { DataFrame } from "nodejs-polars";
import type { DenseScores, HasDense } from "../dense/dense_frames.ts";
import { meanOrNull, testedCells } from "../inference/tested_mean.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { NULL_REASONS, rankIc } from "../dense/rank/rank_correlation.ts";
import { testMean } from "../inference/test_mean.ts";
import type { PermutationTestOptions } from "./permutation_test.ts";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import { givenList } from "../../base/arguments/list_text.ts";
import { checkOptions, type OptionRules } from "../../base/arguments/check_options.ts";
import { textColumn } from "../../frames/frame/typed/make_columns.ts";
import { markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { columnGrids } from "../dense/column_grids.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import { kindsOf, type TableOf } from "../table/columns.ts";

/** Columns of the residual ICs beside the raw ones. */
export const RESIDUAL_IC_COLUMNS = "horizon raw residual specific ...tested";

/**
 * Mean residual IC and raw IC of the same stocks, and a test of their difference: the part of the IC due to the exposures.
 */
export function compareResidualIc(
  raw: DenseScores,
  residual: DenseScores,
  specific: DenseScores,
  minNames: number,
): TableOf<typeof RESIDUAL_IC_COLUMNS> {
  // A stock without an exposure has no residual and would enter the raw IC only.
  const same = {
    ...raw,
    scores: raw.scores.map((score, cell) => Number.isNaN(residual.scores[cell]!) ? NaN : score),
  };
  const own = pairedIcs(specific, residual, minNames);
  const rows = pairedIcs(residual, same, minNames).map(({ horizon, means, test }, i) => {
    return [horizon, means[1], means[0], own[i]!.means[0], ...testedCells(test)];
  });
  return tableOfRows(rows, RESIDUAL_IC_COLUMNS);
}

/** Mean ICs of two scores over the sessions in which both have one, and a test of their difference, for each horizon of both. */
export function pairedIcs(first: DenseScores, second: DenseScores, minNames: number) {
  const common = first.periods.filter((horizon) => second.periods.includes(horizon));
  return common.map((horizon) => {
    const [a, b] = [first, second].map((dense) => icByDay(dense, horizon, minNames));
    const both = [...b!].flatMap(([day, { value, place }]) => {
      const other = a!.get(day)?.value ?? NaN;
      return Number.isNaN(other) || Number.isNaN(value) ? [] : [{ place, other, value }];
    });
    const values = Float64Array.from(both, ({ other, value }) => other - value);
    const places = Int32Array.from(both, ({ place }) => place);
    const mean = (name: "other" | "value") => meanOrNull(both.map(({ [name]: ic }) => ic));
    const means = [mean("other"), mean("value")] as const;
    return { horizon, means, test: testMean({ values, places, horizon }) };
  });
}

function icByDay(
  { scores, from, to, tickers, days, ...of }: DenseScores,
  horizon: number,
  minNames: number,
) {
  const returns = [of.returns.get(horizon)!];
  const [ic] = rankIc({ scores, returns, span: [from, to], width: tickers.length, minNames });
  return new Map(
    Array.from(ic!.values, (value, i) => [days[from + i]!, { value, place: from + i }]),
  );
}

/** Columns of the table, in order. */
const CORRELATION_COLUMNS = "session correlation n reason";

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
): TableOf<typeof CORRELATION_COLUMNS> {
  checkOptions("call factorCorrelation()", options, RULES);
  const { minNames = DEFAULT_MIN_NAMES } = options;
  if (!Array.isArray(columns) || columns.length !== 2) {
    throw new TypeError(
      `Cannot ${ACTION}: expected the names of two columns, such as ["score", "size"], got ` +
        givenList(columns),
    );
  }
  const { dense, grids } = columnGrids(ACTION, data, columns);
  const [scores, ...returns] = grids;
  const span = [dense.from, dense.to] as const;
  const width = dense.tickers.length;
  const [values] = rankIc({ scores: scores!, returns, span, width, minNames });
  const correlation = frameOf(kindsOf(CORRELATION_COLUMNS), {
    session: dense.days.slice(dense.from, dense.to),
    correlation: values!.values,
    n: values!.counts,
    reason: textColumn("reason", values!.reasons, NULL_REASONS),
  });
  return markSynthetic(correlation, dense.isSynthetic === true ? ["synthetic"] : []);
}
