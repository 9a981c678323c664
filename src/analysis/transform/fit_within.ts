import { meanOf, sumOfSquares } from "../../base/statistics/moments.ts";
import { regressSection } from "./regress_section.ts";

const TOLERANCE = 1e-10;

/** The regression on columns after the means of the groups were taken from both sides (Frisch and Waugh). */
export function fitWithin(
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
  const members = new Map<number, number[]>();
  for (const [i, code] of codes.entries()) {
    const own = members.get(code);
    if (own === undefined) members.set(code, [values[i]!]);
    else own.push(values[i]!);
  }
  const means = new Map([...members].map(([code, own]) => [code, meanOf(own)]));
  return values.map((value, i) => value - means.get(codes[i]!)!);
}
