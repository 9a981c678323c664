import type { DataFrame } from "nodejs-polars";
import * as rules from "../../base/arguments/check_options.ts";
import { type HasDense, horizonsOf, returnsOf } from "../dense/dense_frames.ts";
import { INFERENCE, type Inference, testMean } from "../inference/test_mean.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { columnGrids } from "../dense/column_grids.ts";
import { regressCells } from "../transform/fit_within.ts";
import { transformColumn } from "../transform/combine.ts";
import type { TableOf } from "../table/columns.ts";
import { meanOrNull, testedCells } from "../inference/tested_mean.ts";

/** Columns of the table, in order. */
const MEAN_COLUMNS = "horizon term ...tested names r_squared";

/** Columns of the table, in order. */
const SESSION_COLUMNS = "session horizon term value n r_squared reason";

/** Options of a Fama-MacBeth regression. */
export interface FamaMacBethOptions {
  /** Explanatory columns. @default ["score"] */
  readonly on?: readonly string[];
  /** Scale of each column in a session. @default "none" */
  readonly transform?: "none" | "rank" | "zscore";
  /** Returns the coefficients of every session instead of their means. @default false */
  readonly bySession?: boolean;
  /** Estimator of the standard errors. @default equal-weighted cosines */
  readonly inference?: Inference;
}

const RULES: rules.OptionRules<FamaMacBethOptions> = {
  on: rules.COLUMN_NAMES,
  transform: rules.oneOf("none", "rank", "zscore"),
  bySession: rules.FLAG,
  inference: INFERENCE,
};
const ACTION = "regress returns on scores";

/**
 * Fama and MacBeth (1973): a regression of returns on scores in every session, and a test on the mean of its coefficients.
 *
 * One row per horizon and coefficient: `horizon`, `term` (`intercept`, then the columns), `mean`, `standard_error`, `t`, `df`, `p`, `low`, `high`
 * (by equal-weighted cosines, or by `inference`), `sessions`, `reason`, `names` (mean number of stocks), `r_squared` (mean). A session requires three more stocks
 * than slopes, and columns that are not collinear. With `bySession`, one row per session, horizon and coefficient: `session`, `horizon`, `term`, `value`, `n`,
 * `r_squared`, `reason` (`too_few_names`, `rank_deficient`).
 * @see Fama and MacBeth (1973), Risk, return, and equilibrium: empirical tests, Journal of Political Economy 81
 *
 * @param data The result of {@link align}, with further `columns` for others than the score, or a frame of its rows
 * @returns A frame of one row per horizon and coefficient, each with its test
 * @throws {TypeError} If a column is missing
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { famaMacBeth } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(4).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D"],
 *   score: [0, 1, 2, 3],
 *   return_1: [0.01, 0.03, 0.05, 0.07],
 * });
 * const slope = famaMacBeth(data).toRecords()[1]?.mean;
 * if (Math.abs(Number(slope) - 0.02) > 1e-12) throw new Error("2% a unit of score");
 * ```
 */
export function famaMacBeth(
  data: HasDense | DataFrame,
  options?: FamaMacBethOptions & { readonly bySession?: false },
): TableOf<typeof MEAN_COLUMNS>;
/**
 * The coefficients of every session instead of their means.
 *
 * @returns A frame of one row per session, horizon and coefficient
 * @see Fama and MacBeth (1973), Risk, return, and equilibrium: empirical tests, Journal of Political Economy 81
 */
export function famaMacBeth(
  data: HasDense | DataFrame,
  options: FamaMacBethOptions & { readonly bySession: true },
): TableOf<typeof SESSION_COLUMNS>;
export function famaMacBeth(
  data: HasDense | DataFrame,
  options: FamaMacBethOptions = {},
): TableOf<typeof MEAN_COLUMNS> | TableOf<typeof SESSION_COLUMNS> {
  rules.checkOptions("call famaMacBeth()", options, RULES);
  const { on = ["score"], transform = "none", bySession = false } = options;
  const { inference = { method: "ewc" } } = options;
  const { dense, grids } = columnGrids(ACTION, data, on);
  const columns = grids.map((grid) => transformColumn(dense, grid, transform));
  const fits = horizonsOf(ACTION, dense).flatMap((horizon) => {
    const returns = returnsOf(ACTION, dense, horizon);
    return Array.from({ length: dense.to - dense.from }, (_, i) => {
      const place = dense.from + i;
      const { cells: { length: n }, ...found } = regressCells(dense, place, [returns, ...columns]);
      return { ...found, session: dense.days[place]!, place, horizon, n };
    });
  });
  const terms = ["intercept", ...on];
  if (!bySession) return meansOf(fits, terms, inference);
  const sorted = fits.toSorted((a, b) => a.session - b.session || a.horizon - b.horizon);
  const rows = sorted.flatMap(({ session, horizon, fit, n, reason }) =>
    terms.map((term, i) => {
      const value = fit?.coefficients[i] ?? null;
      return [session, horizon, term, value, n, fit?.rSquared ?? null, reason];
    })
  );
  return tableOfRows(rows, SESSION_COLUMNS);
}

/** A session's regression. */
interface SessionFit extends ReturnType<typeof regressCells> {
  readonly place: number;
  readonly horizon: number;
  readonly n: number;
}

function meansOf(
  fits: readonly Omit<SessionFit, "cells">[],
  terms: readonly string[],
  inference: Inference,
): TableOf<typeof MEAN_COLUMNS> {
  const rows = [...Map.groupBy(fits, ({ horizon }) => horizon)].flatMap(([horizon, own]) => {
    const places = Int32Array.from(own, ({ place }) => place);
    const names = meanOrNull(own.filter(({ fit }) => fit !== null).map(({ n }) => n));
    const share = meanOrNull(own.flatMap(({ fit }) => fit?.rSquared ?? []));
    return terms.map((term, i) => {
      const values = Float64Array.from(own, ({ fit }) => fit?.coefficients[i] ?? NaN);
      const test = testMean({ values, places, horizon }, inference);
      return [horizon, term, ...testedCells(test), names, share];
    });
  });
  return tableOfRows(rows, MEAN_COLUMNS);
}
