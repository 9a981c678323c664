import type { DataFrame } from "nodejs-polars";
import { type Rule, ruleOf } from "../../base/arguments/check_options.ts";
import { columnGrids } from "../dense/column_grids.ts";
import type { HasDense } from "../dense/from_data_frame.ts";

/** True if an object has text and numbers under names of its own and no others. */
function hasOnly(value: unknown, kinds: Readonly<Record<string, "string" | "number">>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(kinds);
  return Object.keys(value).length === names.length &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === kinds[name]);
}

/** A column by which stocks are weighted, such as their market value. */
export const VALUE_WEIGHTS: Rule<{ readonly value: string }> = ruleOf(
  'an object such as { value: "cap" }',
  (value) => hasOnly(value, { value: "string" }),
);

/** A floor. */
export const MINIMUM: Rule<{ readonly column: string; readonly at: number }> = ruleOf(
  'an object such as { column: "cap", at: 1e9 }',
  (value) => hasOnly(value, { column: "string", at: "number" }),
);

/** Quantiles of entry and exit. */
export const BUFFER: Rule<{ readonly enter: number; readonly leave: number }> = ruleOf(
  "an object such as { enter: 5, leave: 4 }, with leave below enter",
  (value) => {
    const { enter, leave } = (value ?? {}) as { enter: number; leave: number };
    return hasOnly(value, { enter: "number", leave: "number" }) && Number.isInteger(enter) &&
      Number.isInteger(leave) && leave >= 1 && leave < enter;
  },
);

/**
 * The values of a column of weights, as sessions × tickers; NaN where a stock has none.
 *
 * @throws {TypeError} If the column is missing
 * @throws {RangeError} If a value is negative
 */
export function valueGrid(
  action: string,
  data: HasDense | DataFrame,
  { value: name }: { readonly value: string },
): Float64Array {
  const [grid] = columnGrids(action, data, [name]).grids;
  const wrong = grid!.find((value) => value < 0);
  if (wrong === undefined) return grid!;
  throw new RangeError(
    `Cannot ${action}: expected weights of at least 0 in the column ${name}, got ${wrong}; give a size, such as a market value`,
  );
}
