import pl, { type DataFrame } from "nodejs-polars";
import { type Rule, ruleBy } from "../../base/arguments/check_options.ts";
import { tagOf } from "./tag_of.ts";
import { describe } from "../../base/contract/violation.ts";
import { nearestName } from "../../base/arguments/nearest_name.ts";
import { listText } from "../../base/arguments/list_text.ts";

const OTHER_POLARS = "one of another copy of nodejs-polars, which cannot be mixed with that of " +
  'scoreframe; import both from one project, with "nodejs-polars" as scoreframe pins it';

// Columns in a message.
const SHOWN = 20;

/**
 * Refuses a value that is not a frame, such as a load that was not awaited, or a lazy frame.
 *
 * @param action Action that needs the frame, worded to follow "Cannot"
 * @throws {TypeError} With the value, and how to make it a frame
 */
export function assertFrame(action: string, value: unknown): asserts value is DataFrame {
  const kind = tagOf(value);
  const native = nativeOf(value);
  // A second copy of the package has a native class of the same name, which this one refuses without an explanation.
  const isOther = native?.name === "JsDataFrame" && native !== nativeOf(pl.DataFrame({}));
  if (kind === "DataFrame" && !isOther) return;
  throw new TypeError(`Cannot ${action}: expected a DataFrame, got ${nameOf(kind, value)}`);
}

/** A frame. */
export const FRAME: Rule<DataFrame> = ruleBy(
  "a DataFrame",
  (action, value: DataFrame, name) => assertFrame(`${action} with ${name}`, value),
);

// A column of this name hides the property; its class has another name.
function nativeOf(frame: unknown): { readonly name: string } | undefined {
  return (frame as { readonly _df?: object } | null | undefined)?._df?.constructor;
}

function nameOf(kind: unknown, value: unknown): string {
  if (kind === "DataFrame") return OTHER_POLARS;
  if (kind === "LazyDataFrame") return "a lazy frame; collect it first, with await frame.collect()";
  const { data } = (value ?? {}) as { readonly data?: unknown };
  return tagOf(data) === "DataFrame"
    ? `a result whose data are ${describe(data)}; give its .data if these rows are meant`
    : describe(value);
}

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
