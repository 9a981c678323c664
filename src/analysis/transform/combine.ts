import type { DataFrame } from "nodejs-polars";
import { averageRanks } from "../dense/rank/orders.ts";
import type { DenseScores, HasDense } from "../dense/dense_frames.ts";
import { deviationOf, keepTies, meanOf } from "../../base/statistics/moments.ts";
import { givenList } from "../../base/arguments/list_text.ts";
import * as rules from "../../base/arguments/check_options.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { columnGrids, withScores } from "../dense/column_grids.ts";

/** Scale of a column in each session. */
type Transform = "none" | "rank" | "zscore";

/**
 * A column on one scale: as it is; average ranks from −0.5 to 0.5, (R − (n + 1) / 2) / n; or less its mean, over its deviation. A session
 * whose values are all equal has no z-scores.
 */
export function transformColumn(
  dense: DenseScores,
  grid: Float64Array,
  transform: Transform,
): Float64Array {
  if (transform === "none") return grid;
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const result = grid.slice();
  if (transform === "rank") result.set(averageRanks(grid, dense), from * width);
  for (let d = from; d < to; d++) {
    const session = result.subarray(d * width, (d + 1) * width);
    const known = session.filter((value) => !Number.isNaN(value));
    const centre = known.length === 0 ? NaN : meanOf(known);
    const scale = transform === "rank" ? known.length : deviationOf(known) || NaN;
    for (const [name, value] of session.entries()) session[name] = (value - centre) / scale;
  }
  return result;
}

const RULES: rules.OptionRules<NonNullable<Parameters<typeof combine>[1]>> = {
  on: rules.needed(rules.COLUMN_NAMES, '["score", "other_score"]'),
  weights: rules.severalOf(
    "numbers other than 0, one for each column",
    (one) => rules.FINITE.accepts(one) && one !== 0,
  ),
  method: rules.oneOf("equal-rank", "inverse-turnover"),
};
const ACTION = "combine scores";
// Ranks are shares, of at most one half.
const roundRank = keepTies(1);

/**
 * One score from several columns: the weighted mean of their ranks in each session, Σ w r / Σ |w|, from −0.5 to 0.5.
 *
 * The rows of the data, by session and ticker, with `score` replaced; null where a column is null. Weights use nothing that was
 * known later. Rounded to 12 decimals, so that ties stay ties.
 *
 * @param data The result of {@link align} with further `columns`, or a frame of its rows
 * @returns A frame of the rows of the data, with `score` replaced
 * @throws {TypeError} If a column is missing, or both weights and a method are given
 * @throws {RangeError} If the weights are not as many numbers other than 0 as columns
 * @see Asness, Moskowitz and Pedersen (2013), Value and momentum everywhere, Journal of Finance 68, on means of ranks
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { combine } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B"],
 *   score: [0.2, 0.9],
 *   other: [30, 10],
 * });
 * const both = combine(data, { on: ["score", "other"] }).getColumn("score").toArray();
 * if (both.join() !== "0,0") throw new Error("they disagree");
 * ```
 */
export function combine<Data extends HasDense | DataFrame>(
  data: Data,
  options: {
    /** The columns. */
    readonly on: readonly string[];
    /** A weight for each column; a negative one turns the column round. @default as `method` says */
    readonly weights?: readonly number[];
    /** `equal-rank`: all alike. `inverse-turnover`: by one over the mean move of a column's ranks until that session, so that slow columns count more. @default "equal-rank" */
    readonly method?: "equal-rank" | "inverse-turnover";
  },
): RowsOf<Data> {
  rules.checkOptions("call combine()", options, RULES);
  const { on, method = "equal-rank" } = options;
  if (options.weights !== undefined && options.method !== undefined) {
    throw new TypeError(`Cannot ${ACTION}: expected weights or a method, got both; leave one out`);
  }
  const { dense, grids } = columnGrids(ACTION, data, on);
  const { weights } = options;
  if (weights !== undefined && weights.length !== on.length) {
    throw new RangeError(
      `Cannot ${ACTION}: expected ${on.length} numbers other than 0, one for each column, got ` +
        `${givenList(weights)}`,
    );
  }
  const ranks = grids.map((grid) => transformColumn(dense, grid, "rank"));
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const combined = new Float64Array(dense.scores.length).fill(NaN);
  const moves = ranks.map(() => ({ sum: 0, n: 0 }));
  for (let d = from; d < to; d++) {
    if (d > from) { for (const [j, rank] of ranks.entries()) addMoves(moves[j]!, rank, d, width); }
    const shares = weights ?? (method === "equal-rank" ? moves.map(() => 1) : inverse(moves));
    const total = shares.reduce((sum, share) => sum + Math.abs(share), 0);
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const sum = ranks.reduce((all, rank, j) => all + shares[j]! * rank[cell]!, 0);
      combined[cell] = roundRank(sum / total);
    }
  }
  return withScores(data, dense, combined) as RowsOf<Data>;
}

interface Moves {
  sum: number;
  n: number;
}

function addMoves(moves: Moves, rank: Float64Array, d: number, width: number): void {
  for (let cell = d * width; cell < (d + 1) * width; cell++) {
    const move = Math.abs(rank[cell]! - rank[cell - width]!);
    if (move !== move) continue;
    moves.sum += move;
    moves.n++;
  }
}

/** All alike as long as one of them has not moved. */
function inverse(moves: readonly Moves[]): readonly number[] {
  if (moves.some(({ sum }) => sum === 0)) return moves.map(() => 1);
  return moves.map(({ sum, n }) => n / sum);
}
