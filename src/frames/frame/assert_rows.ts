import type { DataFrame } from "nodejs-polars";
import { describe } from "../../base/contract/violation.ts";
import { assertFrame } from "./assert_frame.ts";

/**
 * Refuses a value that is not a frame, and a frame without rows, such as that of a filter that matches nothing.
 *
 * @param action Action that needs the rows, worded to follow "Cannot"
 * @param which Description of the rows
 * @throws {TypeError} If it is not a frame
 * @throws {RangeError} If it has no row
 */
export function assertRows(
  action: string,
  value: unknown,
  which: string,
): asserts value is DataFrame {
  assertFrame(action, value);
  if (value.height > 0) return;
  const [name = "none", ...others] = value.columns;
  const advice = others.length === 0 && /[/\\.]\w+$/.test(name)
    ? `${describe(name)} was taken for the text of a CSV, as pl.readCSV() does unless it ends in ` +
      `.csv; use readPrices(${describe(name)})`
    : "check the filter or the file that they come from, whose columns are " +
      `${value.columns.slice(0, 8).join(", ") || "none"}`;
  throw new RangeError(
    `Cannot ${action}: expected at least one row of ${which}, got none; ${advice}`,
  );
}
