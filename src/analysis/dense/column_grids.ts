import type { DataFrame } from "nodejs-polars";
import { assertColumns } from "../../frames/frame/assert_frame.ts";
import { givenList } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";
import type { DenseScores } from "./dense_scores.ts";
import { type HasDense, toDense } from "./from_data_frame.ts";
import { COMPUTED_MARK } from "../../base/contract/frame_marks.ts";
import { setMark } from "../../frames/frame/provenance/lineage.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";
import { sayKnownLate } from "./say_known_late.ts";
import { presentCells, scatter } from "./to_data_frame.ts";
import { readNumbers } from "../table/read_columns.ts";

const CARRIED = "columns of the scores come with them: align(scores, returns, { columns })";

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
 * @param data The result of `align()`, with the columns that it carries, or a frame of its rows with more columns joined to it
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
      `Cannot ${action}: expected an array of column names, got ` +
        `${wrong === undefined ? givenList(names) : describe(wrong)}`,
    );
  }
  const dense = toDense(action, data);
  if (names.every((name) => name === "score")) {
    return { dense, grids: names.map(() => dense.scores) };
  }
  const carried = names.map((name) => name === "score" ? dense.scores : dense.columns?.get(name));
  if (carried.every((grid) => grid !== undefined)) return { dense, grids: carried };
  const rows = rowsOfData(data);
  assertColumns(action, rows, names, CARRIED);
  const sorted = rows.sort(["session", "ticker"]);
  const cells = presentCells(dense.present);
  const size = dense.scores.length;
  const grids = names.map((name) =>
    scatter(readNumbers(action, sorted, name), cells, new Float64Array(size).fill(NaN))
  );
  for (const [i, name] of names.entries()) sayKnownLate(name, grids[i]!, dense, sorted);
  return { dense, grids };
}

/** The rows of the data by session and ticker, with scores from sessions × tickers in place of their own. */
export function withScores(
  data: HasDense | DataFrame,
  { present }: DenseScores,
  scores: Float64Array,
): DataFrame {
  const rows = Float64Array.from(presentCells(present), (cell) => scores[cell]!);
  const frame = rowsOfData(data).sort(["session", "ticker"]).withColumns(
    numberColumn("score", rows),
  );
  return setMark(frame, COMPUTED_MARK, true);
}

function rowsOfData(data: HasDense | DataFrame): DataFrame {
  return ((data as { readonly data?: DataFrame }).data ?? data) as DataFrame;
}
