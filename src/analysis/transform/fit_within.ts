import { Matrix, QrDecomposition } from "ml-matrix";
import type { DataFrame } from "nodejs-polars";
import {
  demean,
  isConstant,
  keepTies,
  largestOf,
  meanOf,
  sumOfSquares,
} from "../../base/statistics/moments.ts";
import { COLUMN_NAMES, type OptionRules, TEXT } from "../../base/arguments/check_options.ts";
import { assertColumns } from "../../frames/frame/assert_frame.ts";
import type { Reason } from "../reason.ts";
import { givenList } from "../../base/arguments/list_text.ts";
import type { DenseScores, HasDense } from "../dense/dense_frames.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { columnGrids, withScores } from "../dense/column_grids.ts";

const TOLERANCE = 1e-10;

/**
 * Regresses values on columns.
 *
 * @returns `null` if the columns are collinear from each other or from a constant
 */
function regressSection(values: readonly number[], columns: readonly (readonly number[])[]) {
  const n = values.length;
  const centres = columns.map(meanOf);
  // Columns of one size each, so that the rank does not depend on their units.
  const sizes = columns.map((column, j) =>
    Math.sqrt(column.reduce((sum, value) => sum + (value - centres[j]!) ** 2, 0))
  );
  const isFlat = sizes.some((size, j) =>
    !(size > TOLERANCE * Math.sqrt(n) * Math.abs(centres[j]!))
  );
  if (isFlat || n < columns.length + 1) return null;
  const scaled = Matrix.columnVector(values.map(() => 1 / Math.sqrt(n)));
  for (const [j, column] of columns.entries()) {
    scaled.addColumn(column.map((value) => (value - centres[j]!) / sizes[j]!));
  }
  const decomposition = new QrDecomposition(scaled);
  const diagonal = decomposition.upperTriangularMatrix.diagonal();
  if (diagonal.some((value) => Math.abs(value) < TOLERANCE)) return null;
  const solved = decomposition.solve(Matrix.columnVector([...values])).to1DArray();
  const slopes = solved.slice(1).map((slope, j) => slope / sizes[j]!);
  const intercept = meanOf(values) - slopes.reduce((sum, slope, j) => sum + slope * centres[j]!, 0);
  const residuals = Float64Array.from(
    values,
    (value, i) =>
      value - intercept - slopes.reduce((sum, slope, j) => sum + slope * columns[j]![i]!, 0),
  );
  const middle = meanOf(values);
  const total = values.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const left = residuals.reduce((sum, residual) => sum + residual ** 2, 0);
  return {
    coefficients: [intercept, ...slopes],
    residuals,
    rSquared: total > 0 ? 1 - left / total : null,
  };
}

/** The same for the cells of a session in which the values and all columns have a number, if they are enough; and these cells. */
export function regressCells(
  { tickers }: Pick<DenseScores, "tickers">,
  session: number,
  [values, ...columns]: readonly [Float64Array, ...Float64Array[]],
) {
  const cells = Array.from(tickers, (_, name) => session * tickers.length + name)
    .filter((cell) =>
      values[cell] === values[cell] && columns.every((of) => of[cell] === of[cell])
    );
  const [y, ...x] = [values, ...columns].map((of) => cells.map((cell) => of[cell]!));
  const hasEnough = cells.length >= columns.length + 3;
  const fit = hasEnough ? regressSection(y!, x) : null;
  const reason: Reason | null = fit ? null : hasEnough ? "rank_deficient" : "too_few_names";
  return { cells, fit, reason };
}

/** Exposures of rows of scores, or of sessions × tickers. */
export interface Exposures {
  /** Columns of numbers; NaN for none. */
  readonly columns: readonly Float64Array[];
  /** Group of each row or cell, −1 or NaN for none; `null` without groups. */
  readonly groups: Int32Array | Float64Array | null;
}

/** Columns that are exposures. */
interface ExposureOptions {
  readonly on?: readonly string[];
  readonly group?: string;
}

/** Accepted columns of exposures. */
export const EXPOSURE_RULES: OptionRules<ExposureOptions> = {
  on: { ...COLUMN_NAMES, example: '["beta", "size"]' },
  group: { ...TEXT, example: '"sector"' },
};

/** Regression of one cross-section on exposures. */
export interface SectionFit {
  /** Stocks in the regression. */
  readonly n: number;
  /** Stocks with a value and without a group or an exposure. */
  readonly leftOut: number;
  /** Number of groups; `null` without groups. */
  readonly groups: number | null;
  readonly rSquared: number | null;
  readonly slopes: readonly (number | null)[];
  /** Reason why there is no residual. */
  readonly reason: Reason | null;
}

/**
 * Regresses the values of a cross-section on exposures, and writes the residuals.
 *
 * @param known The rows or cells that have a value
 * @param residuals Takes the residuals; others stay as they are
 * @param constant Reason why values that are all equal have no residuals
 */
export function regressOnExposures(
  { values, residuals }: { readonly values: Float64Array; readonly residuals: Float64Array },
  known: readonly number[],
  { columns, groups }: Exposures,
  constant: Reason,
): SectionFit {
  const used = known.filter((at) =>
    (groups === null || groups[at]! >= 0) && columns.every((column) => !Number.isNaN(column[at]!))
  );
  const codes = used.map((at) => groups === null ? 0 : groups[at]!);
  const count = new Set(codes).size;
  const sizes = {
    n: used.length,
    leftOut: known.length - used.length,
    groups: groups === null ? null : count,
  };
  const none = (reason: Reason) => ({
    ...sizes,
    rSquared: null,
    slopes: columns.map(() => null),
    reason,
  });
  if (used.length < count + columns.length + 2) return none("too_few_names");
  const y = used.map((at) => values[at]!);
  if (isConstant(y)) return none(constant);
  const fit = fitWithin(y, columns.map((column) => used.map((at) => column[at]!)), codes);
  if (fit === null) return none("rank_deficient");
  const round = keepTies(largestOf(y));
  for (const [i, at] of used.entries()) residuals[at] = round(fit.residuals[i]!);
  const rSquared = 1 - sumOfSquares(fit.residuals) / sumOfSquares(demean(y));
  return { ...sizes, rSquared, slopes: fit.slopes, reason: null };
}

/** The regression on columns after the means of the groups were taken from both sides (Frisch and Waugh). */
function fitWithin(
  y: readonly number[],
  columns: readonly (readonly number[])[],
  codes: readonly number[],
): { readonly residuals: Float64Array; readonly slopes: readonly number[] } | null {
  const left = withinGroups(y, codes);
  if (columns.length === 0) return { residuals: Float64Array.from(left), slopes: [] };
  const within = columns.map((column) => withinGroups(column, codes));
  // What is left of a column that is constant in every group is noise of rounding.
  const isFlat = within.some((column, j) =>
    sumOfSquares(column) <= TOLERANCE ** 2 * sumOfSquares(columns[j]!)
  );
  const fit = isFlat ? null : regressSection(left, within);
  return fit && { residuals: fit.residuals, slopes: fit.coefficients.slice(1) };
}

/** Values less the mean of their group. */
function withinGroups(values: readonly number[], codes: readonly number[]): readonly number[] {
  const members = Map.groupBy(values, (_, i) => codes[i]!);
  const means = new Map([...members].map(([code, own]) => [code, meanOf(own)]));
  return values.map((value, i) => value - means.get(codes[i]!)!);
}

/**
 * Refuses calls that name neither columns of exposures nor a column of groups.
 *
 * @throws {TypeError} If `on` is not an array of column names, or empty without a group
 */
export function assertExposures(
  action: string,
  { on = [], group }: ExposureOptions,
  frame: DataFrame | null = null,
): void {
  const areNames = Array.isArray(on) && on.every((name) => typeof name === "string");
  if (areNames && (on.length > 0 || group !== undefined)) {
    if (frame !== null) assertColumns(action, frame, ["ticker", ...on, ...[group ?? []].flat()]);
    return;
  }
  throw new TypeError(
    `Cannot ${action}: expected on to be an array of column names, or group the name of one, got ` +
      `${givenList(on)}; such as { on: ["beta"], group: "sector" }`,
  );
}

/**
 * Residuals of the score: in each session those of a regression of the score on other columns, with an intercept.
 *
 * The rows of the data, by session and ticker, with `score` replaced by the residual (null where the score or a column is
 * null, in sessions with fewer than three stocks more than columns, and where the columns are collinear). Rounded
 * to 12 digits of the session's largest score, so that ties stay ties in any unit.
 *
 * @param data The result of {@link align} with further `columns`, or a frame of its rows
 * @param on The columns
 * @returns A frame of the rows of the data, with `score` replaced by the residual
 * @throws {TypeError} If a column is missing
 * @see Frisch and Waugh (1933), Partial time regressions as compared with individual trends, Econometrica 1
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { orthogonalize } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(4).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D"],
 *   score: [0, 1, 2, 3],
 *   size: [1, 3, 5, 7],
 * });
 * const left = orthogonalize(data, ["size"]).getColumn("score").toArray();
 * if (left.some((score) => score !== 0)) throw new Error("size explains it all");
 * ```
 */
export function orthogonalize<Data extends HasDense | DataFrame>(
  data: Data,
  on: readonly string[],
): RowsOf<Data> {
  const action = "orthogonalize scores";
  const { dense, grids } = columnGrids(action, data, on);
  const { scores } = dense;
  const left = new Float64Array(scores.length).fill(NaN);
  for (let d = dense.from; d < dense.to; d++) {
    const { cells, fit } = regressCells(dense, d, [scores, ...grids]);
    const round = keepTies(largestOf(cells.map((cell) => scores[cell]!)));
    for (const [i, cell] of cells.entries()) left[cell] = round(fit?.residuals[i] ?? NaN);
  }
  return withScores(data, dense, left) as RowsOf<Data>;
}
