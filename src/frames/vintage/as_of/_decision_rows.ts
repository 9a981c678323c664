import type { DataFrame } from "nodejs-polars";
import { readInstants } from "../../frame/times/read_instants.ts";
import type { RowKey } from "./_set_lookup.ts";

/** The action, worded to follow "Cannot". */
export const ACTION = "join scores to decisions";

/**
 * Reads the times of rows, in milliseconds.
 *
 * @throws {TypeError} If the column is missing, is not of instants, or has a null
 */
export function readTimes(frame: DataFrame, name: string, which: string): Float64Array {
  if (!frame.columns.includes(name)) {
    throw new TypeError(
      `Cannot ${ACTION}: expected ${which} with a column ${name} of instants, got the columns ` +
        `${frame.columns.join(", ")}; decisionColumn selects another one`,
    );
  }
  const times = readInstants(ACTION, frame.getColumn(name));
  const missing = times.findIndex(Number.isNaN);
  if (missing === -1) return times;
  throw new TypeError(
    `Cannot ${ACTION}: expected ${which} with a column ${name} of instants without nulls, got a null in ` +
      `row ${missing}; drop it`,
  );
}

/**
 * Reads the keys of rows.
 *
 * @throws {TypeError} If a column is missing, or has a null
 */
export function readKeys(
  frame: DataFrame,
  by: readonly string[],
  which: string,
): readonly RowKey[] {
  const missing = by.find((name) => !frame.columns.includes(name));
  if (missing !== undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected ${which} with the column ${missing}, got ` +
        `${frame.columns.join(", ")}`,
    );
  }
  const columns: unknown[][] = by.map((name) => frame.getColumn(name).toArray());
  for (const [i, column] of columns.entries()) {
    const row = column.indexOf(null);
    if (row === -1) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected ${which} with a ${by[i]} in every row, got row ${row} without; ` +
        "drop it",
    );
  }
  const factorAt = by.indexOf("factor");
  const others = columns.filter((_, i) => i !== factorAt);
  return Array.from({ length: frame.height }, (_, i) => ({
    factor: factorAt < 0 ? "" : String(columns[factorAt]![i]),
    row: keyText(others.map((column) => column[i])),
  }));
}

// Joined by a blank, keys that contain blanks would be ambiguous.
function keyText(values: readonly unknown[]): string {
  return values.length === 1 ? String(values[0]) : JSON.stringify(values);
}
