import pl, { type DataFrame } from "nodejs-polars";
import { checkOptions, oneOf, type OptionRules } from "../../arguments/check_options.ts";
import { sayCompat } from "../alphalens/say_compat.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { countColumn, dayColumn, numberColumn, textColumn } from "../table/make_columns.ts";
import { readWeights, type Weights } from "./weights.ts";

/** How returns of weights are computed. */
export interface FactorReturnsOptions {
  /** `"alphalens"`: the same numbers. @default none */
  readonly compat?: "alphalens";
}

const RULES: OptionRules<FactorReturnsOptions> = { compat: oneOf("alphalens") };

/**
 * The forward returns of a portfolio: Σ w r over the names with a return, not rescaled.
 *
 * One row a session and horizon: `session`, `horizon`, `return` (0.01 is one percent of the capital), `missing_weight`
 * (Σ|w| of names without a return: what the return leaves out), `n` (names with a return), `reason` (`too_few_names`
 * without any). Returns of horizons beyond one session overlap: compound those of {@link portfolioReturns} instead.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorReturns, factorWeights } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(3).fill("2026-10-30"),
 *   ticker: ["A", "B", "C"],
 *   score: [0.25, 0.5, 0.75],
 *   return_1: [0.01, 0.02, null],
 * });
 * const rows = factorReturns(data, factorWeights(data));
 * const [value] = rows.getColumn("return").toArray();
 * const [missing] = rows.getColumn("missing_weight").toArray();
 * if (value !== -0.005 || missing !== 0.5) throw new Error("half of the book has no return");
 * ```
 */
export function factorReturns(
  data: HasDense | DataFrame,
  weights: Weights | DataFrame,
  options: FactorReturnsOptions = {},
): DataFrame {
  checkOptions("factorReturns()", options, RULES);
  sayCompat(options.compat, "factorReturns(): the same numbers as without it");
  const action = "compute factor returns";
  const dense = toDense(action, data);
  const read = readWeights(action, weights, dense);
  const lines = dense.periods.map((horizon) => returnLine(read, returnsOf(action, dense, horizon)));
  return toReturnsFrame(read, lines, dense.periods);
}

/**
 * The returns of held positions from each session to the next, which do not overlap.
 *
 * One row a session: `session` (positions are taken in it, and the return is that until the next), `return`, `traded` (Σ|Δw|, both
 * sides; the first session trades all of its positions), `missing_weight`, `n`, `reason`. Positions are brought back to
 * their weights every session; what prices alone do to them is not counted as traded.
 *
 * @param data The result of {@link align}, with returns of one session, or a frame of its rows
 * @param positions The result of {@link positions}, or of {@link factorWeights}
 * @throws {RangeError} If there are no returns of one session
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorWeights, portfolioReturns } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.25, 0.75, 0.75, 0.25],
 *   return_1: [0.01, 0.02, 0.03, 0.01],
 * });
 * const traded = portfolioReturns(data, factorWeights(data)).getColumn("traded").toArray();
 * if (traded.join() !== "1,2") throw new Error("the book is turned over");
 * ```
 */
export function portfolioReturns(
  data: HasDense | DataFrame,
  positions: Weights | DataFrame,
): DataFrame {
  const action = "compute portfolio returns";
  const dense = toDense(action, data);
  const read = readWeights(action, positions, dense);
  const line = returnLine(read, returnsOf(action, dense, 1));
  const frame = toReturnsFrame(read, [line], [1]);
  const traded = numberColumn("traded", tradedOf(read));
  return frame.withColumns(traded)
    .select("session", "return", "traded", "missing_weight", "n", "reason");
}

interface ReturnLine {
  readonly returns: Float64Array;
  readonly missing: Float64Array;
  readonly counts: Int32Array;
}

function returnLine({ values, span: [from, to], tickers }: Weights, of: Float64Array): ReturnLine {
  const width = tickers.length;
  const returns = new Float64Array(to - from);
  const missing = new Float64Array(to - from);
  const counts = new Int32Array(to - from);
  for (let d = from; d < to; d++) {
    const session = d - from;
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const weight = values[cell]!;
      if (weight !== weight) continue;
      const gain = of[cell]!;
      if (gain === gain) {
        returns[session]! += weight * gain;
        counts[session]!++;
      } else missing[session]! += Math.abs(weight);
    }
    if (counts[session] === 0) returns[session] = NaN;
  }
  return { returns, missing, counts };
}

function toReturnsFrame(
  { span: [from, to], days }: Weights,
  lines: readonly ReturnLine[],
  periods: readonly number[],
): DataFrame {
  const rows = Int32Array.from({ length: (to - from) * lines.length }, (_, row) => row);
  const line = (row: number) => lines[row % lines.length]!;
  const at = (row: number) => Math.floor(row / lines.length);
  const returns = Float64Array.from(rows, (row) => line(row).returns[at(row)]!);
  return pl.DataFrame([
    dayColumn("session", rows.map((row) => days[from + at(row)]!)),
    countColumn("horizon", rows.map((row) => periods[row % lines.length]!)),
    numberColumn("return", returns),
    numberColumn("missing_weight", Float64Array.from(rows, (row) => line(row).missing[at(row)]!)),
    countColumn("n", rows.map((row) => line(row).counts[at(row)]!)),
    textColumn("reason", rows.map((row) => Number.isNaN(returns[row]!) ? 0 : -1), [
      "too_few_names",
    ]),
  ]);
}

function tradedOf({ values, span: [from, to], tickers }: Weights): Float64Array {
  const width = tickers.length;
  const traded = new Float64Array(to - from);
  for (let d = from; d < to; d++) {
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const before = d === from ? 0 : values[cell - width]! || 0;
      traded[d - from]! += Math.abs((values[cell]! || 0) - before);
    }
  }
  return traded;
}
