import type { DataFrame } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { assertFrame } from "./assert_frame.ts";

// Columns in a message.
const SHOWN = 20;

/**
 * Refuses a frame that lacks columns.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param advice Remedy
 * @throws {TypeError} With the missing and the existing columns
 */
export function assertColumns(
  action: string,
  frame: DataFrame,
  names: readonly string[],
  advice = "rename a column, or give its name in the options",
): void {
  assertFrame(action, frame);
  const missing = names.filter((name) => !frame.columns.includes(name))
    .map((name) => typeof name === "string" ? name : describe(name));
  if (missing.length === 0) return;
  throw new TypeError(
    `Cannot ${action}: expected the column${missing.length === 1 ? "" : "s"} ${
      listText(missing)
    }, got ${listText(frame.columns, SHOWN)}; ${advice}`,
  );
}
