import { Matrix, QrDecomposition } from "ml-matrix";
import { meanOf } from "../../base/statistics/moments.ts";

/** Least squares with an intercept over the stocks of one session. */
export interface SectionRegression {
  /** The intercept, then one slope a column. */
  readonly coefficients: readonly number[];
  /** Residual of each stock. */
  readonly residuals: Float64Array;
  /** Share of the variance that is explained; NaN if there is none. */
  readonly rSquared: number;
}

const TOLERANCE = 1e-10;

/**
 * Regresses values on columns.
 *
 * @returns `null` if the columns are collinear from each other or from a constant
 */
export function regressSection(
  values: readonly number[],
  columns: readonly (readonly number[])[],
): SectionRegression | null {
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
    rSquared: total > 0 ? 1 - left / total : NaN,
  };
}
