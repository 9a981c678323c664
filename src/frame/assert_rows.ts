import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "./assert_frame.ts";

/**
 * Refuses a value that is no frame, and a frame without rows: a filter that leaves nothing is easily taken for a result.
 *
 * @param action What needs the rows, worded to follow "Cannot"
 * @param which What the rows are
 * @throws {TypeError} If it is no frame
 * @throws {RangeError} If it has no row
 */
export function assertRows(
  action: string,
  value: unknown,
  which: string,
): asserts value is DataFrame {
  assertFrame(action, value);
  if (value.height > 0) return;
  throw new RangeError(
    `Cannot ${action}: expected at least one row of ${which}, got none; look at the filter or the file that ` +
      `they come from, whose columns are ${value.columns.slice(0, 8).join(", ") || "none"}`,
  );
}
