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
import { regressSection } from "./regress_section.ts";
import type { Reason } from "../reason.ts";
import { givenList } from "../../base/arguments/list_text.ts";

const TOLERANCE = 1e-10;

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
    ...{ ...sizes, rSquared: null, slopes: columns.map(() => null), reason },
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
  const members = new Map<number, number[]>();
  for (const [i, code] of codes.entries()) {
    const own = members.get(code);
    if (own === undefined) members.set(code, [values[i]!]);
    else own.push(values[i]!);
  }
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
