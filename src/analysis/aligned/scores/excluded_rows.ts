import type { DataFrame, Expr } from "nodejs-polars";
import { refuseAdjustedLevel } from "../../table/refuse_adjusted_level.ts";

const LONGEST = 200;

/**
 * 1 for each row on which a condition does not hold, or is null.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {TypeError} If it is not a condition on the columns of the frame
 */
export function excludedRows(action: string, frame: DataFrame, where: Expr): Uint8Array {
  if (typeof where === "object") refuseAdjustedLevel(action, frame, where);
  let kept: readonly unknown[] = [];
  let [found, text] = ["none", ""];
  try {
    // A frame that was given for the options has a method of this name.
    if (typeof where !== "object") throw new TypeError(`a ${typeof where}`);
    const column = frame.select(where.alias("kept")).getColumn("kept");
    kept = column.toArray();
    found = `${column.len()} values of the type ${String(column.dtype)}`;
  } catch (error) {
    const [first = ""] = String(error instanceof Error ? error.message : error).split(/\n|; /);
    const [, name] = /^Cannot find the column "(.*?)":/.exec(first) ?? [];
    found = first;
    if (name !== undefined) text = `, or write pl.lit("${name}") if it is a text`;
  }
  const isCondition = kept.length === frame.height &&
    kept.every((value) => typeof value === "boolean" || value === null);
  if (isCondition) return Uint8Array.from(kept, (value) => value === true ? 0 : 1);
  throw new TypeError(
    `Cannot ${action}: expected where to be true or false in each row, such as pl.col("raw").gtEq(5), got ` +
      `${found.slice(0, LONGEST)}; join the columns that it needs to the scores${text}`,
  );
}
