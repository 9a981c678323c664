import type { DataFrame } from "nodejs-polars";
import type { HasDense } from "../dense/from_data_frame.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { columnGrids, withScores } from "../dense/column_grids.ts";
import { regressSection } from "./regress_section.ts";
import { keepTies, largestOf } from "../../base/statistics/moments.ts";

/**
 * Residuals of the score: in each session those of a regression of the score on other columns, with an intercept.
 *
 * The rows of the data, by session and ticker, with `score` replaced by the residual (null where the score or a column is
 * null, in sessions with fewer than three stocks more than columns, and where the columns are collinear). Rounded
 * to 12 digits of the session's largest score, so that ties stay ties in any unit.
 *
 * @param data The result of {@link align} with further `columns`, or a frame of its rows
 * @param on The columns
 * @returns A frame of the rows of the data, with `score` replaced by the residual
 * @throws {TypeError} If a column is missing
 * @see Frisch and Waugh (1933), Partial time regressions as compared with individual trends, Econometrica 1
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { orthogonalize } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(4).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D"],
 *   score: [0, 1, 2, 3],
 *   size: [1, 3, 5, 7],
 * });
 * const left = orthogonalize(data, ["size"]).getColumn("score").toArray();
 * if (left.some((score) => score !== 0)) throw new Error("size explains it all");
 * ```
 */
export function orthogonalize<Data extends HasDense | DataFrame>(
  data: Data,
  on: readonly string[],
): RowsOf<Data> {
  const action = "orthogonalize scores";
  const { dense, grids } = columnGrids(action, data, on);
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const left = new Float64Array(scores.length).fill(NaN);
  for (let d = from; d < to; d++) {
    const cells: number[] = [];
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      if (scores[cell] === scores[cell] && grids.every((grid) => grid[cell] === grid[cell])) {
        cells.push(cell);
      }
    }
    if (cells.length < grids.length + 3) continue;
    const fit = regressSection(
      cells.map((cell) => scores[cell]!),
      grids.map((grid) => cells.map((cell) => grid[cell]!)),
    );
    const round = keepTies(largestOf(cells.map((cell) => scores[cell]!)));
    for (const [i, cell] of cells.entries()) left[cell] = round(fit?.residuals[i] ?? NaN);
  }
  return withScores(data, dense, left) as RowsOf<Data>;
}
