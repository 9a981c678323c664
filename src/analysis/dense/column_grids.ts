import { givenList } from "../../base/arguments/given_list.ts";
import type { DataFrame } from "nodejs-polars";
import { describe } from "../../base/contract/violation.ts";
import type { DenseScores } from "./dense_scores.ts";
import { type HasDense, toDense } from "./from_data_frame.ts";
import { presentCells } from "./to_data_frame.ts";
import { readNumbers } from "../table/read_columns.ts";

/** Several columns of the same rows as sessions × tickers. */
export interface ColumnGrids {
  /** Scores and returns of the rows. */
  readonly dense: DenseScores;
  /** The values of each column; NaN for null. */
  readonly grids: readonly Float64Array[];
}

/**
 * Lays out columns of the data as sessions × tickers.
 *
 * @param data The result of `align()`, whose rows have `score` only, or a frame of its rows with more columns joined to it
 * @throws {TypeError} If a column is missing, or its name is not text
 */
export function columnGrids(
  action: string,
  data: HasDense | DataFrame,
  names: readonly string[],
): ColumnGrids {
  const wrong = Array.isArray(names) ? names.find((name) => typeof name !== "string") : names;
  if (!Array.isArray(names) || names.length === 0 || wrong !== undefined) {
    throw new TypeError(
      `Cannot ${action}: expected an array of column names, got ${
        wrong === undefined ? givenList(names) : describe(wrong)
      }`,
    );
  }
  const dense = toDense(action, data);
  if (names.every((name) => name === "score")) {
    return {
      dense,
      grids: names.map(() => dense.scores),
    };
  }
  const frame = ((data as { data?: DataFrame }).data ?? data) as DataFrame;
  const sorted = frame.sort(["session", "ticker"]);
  const cells = presentCells(dense.present);
  const grids = names.map((name) => {
    const values = readNumbers(action, sorted, name);
    const grid = new Float64Array(dense.scores.length).fill(NaN);
    for (let row = 0; row < cells.length; row++) grid[cells[row]!] = values[row]!;
    return grid;
  });
  return { dense, grids };
}
