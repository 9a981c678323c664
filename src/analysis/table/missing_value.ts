import { describe } from "../../base/contract/violation.ts";

/**
 * The error for a row without a value.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param what Value that each row needs: `a ticker`
 * @param found Blank text in its place; null if there is none
 */
export function missingValue(
  action: string,
  what: string,
  row: number,
  found: string | null = null,
): TypeError {
  return new TypeError(
    `Cannot ${action}: expected ${what} in every row, got ${
      describe(found)
    } in row ${row}; drop the row`,
  );
}
