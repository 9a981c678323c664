import type { DataFrame } from "nodejs-polars";
import { nearestName } from "../../base/arguments/nearest_name.ts";
import { listText } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import { assertFrame } from "./assert_frame.ts";

// Columns in a message.
const SHOWN = 20;

/**
 * Refuses a frame that lacks columns.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param advice Remedy. @default to rename a column, the nearest one if there is one
 * @throws {TypeError} With the missing and the existing columns
 */
export function assertColumns(
  action: string,
  frame: DataFrame,
  names: readonly string[],
  advice?: string,
): void {
  assertFrame(action, frame);
  const missing = names.filter((name) => !frame.columns.includes(name))
    .map((name) => typeof name === "string" ? name : describe(name));
  if (missing.length === 0) return;
  const near = nearestName(missing[0]!, frame.columns);
  const renamed = "rename a column, or give its name in the options";
  const remedy = near === null ? renamed : `if ${near} is meant, ${renamed}`;
  throw new TypeError(
    `Cannot ${action}: expected the column${missing.length === 1 ? "" : "s"} ` +
      `${listText(missing)}, got ${listText(frame.columns, SHOWN)}; ${advice ?? remedy}`,
  );
}
