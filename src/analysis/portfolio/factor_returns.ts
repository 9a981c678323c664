import type { DataFrame } from "nodejs-polars";
import {
  type DenseScores,
  type HasDense,
  horizonsOf,
  returnsOf,
  toDense,
} from "../dense/dense_frames.ts";
import { rowsByLine } from "../table/frame_of_rows.ts";
import type { FactorWeightsOptions } from "./factor_weights.ts";
import { checkOptions, type OptionRules } from "../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";
import { textColumn } from "../../frames/frame/typed/make_columns.ts";
import { readWeights, type Weights } from "./weights.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import { kindsOf, type TableOf } from "../table/columns.ts";

/** The mean return of all stocks with a score and a return, in each session with scores; NaN without any. */
export function universeReturns(dense: DenseScores, horizon: number): Float64Array {
  const returns = returnsOf("average the universe", dense, horizon);
  const width = dense.tickers.length;
  return Float64Array.from({ length: Math.max(0, dense.to - dense.from) }, (_, session) => {
    const start = (dense.from + session) * width;
    let [sum, n] = [0, 0];
    for (let cell = start; cell < start + width; cell++) {
      const [value, score] = [returns[cell]!, dense.scores[cell]!];
      if (value !== value || score !== score) continue;
      sum += value;
      n++;
    }
    return sum / n;
  });
}

/** Columns of the table, in order. */
const RETURN_COLUMNS = "session horizon return missing_weight n reason";

const RULES: OptionRules<Pick<FactorWeightsOptions, "compat">> = { compat: COMPAT };

/**
 * The forward returns of a portfolio: Σ w r over the stocks with a return, not rescaled.
 *
 * One row per session and horizon: `session`, `horizon`, `return` (0.01 is one percent of the capital), `missing_weight`
 * (Σ|w| of stocks without a return, which the return leaves out), `n` (stocks with a return), `reason` (`too_few_names`
 * without any). Returns of horizons beyond one session overlap: compound those of {@link portfolioReturns} instead.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @returns A frame of one row per session and horizon: the return, and the weight without one
 * @see Lehmann (1990), Fads, martingales, and market efficiency, Quarterly Journal of Economics 105
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
  options: Pick<FactorWeightsOptions, "compat"> = {},
): TableOf<typeof RETURN_COLUMNS> {
  checkOptions("call factorReturns()", options, RULES);
  presetOf("factorReturns", options.compat);
  const action = "compute factor returns";
  const dense = toDense(action, data);
  const read = readWeights(action, weights, dense);
  const lines = horizonsOf(action, dense).map((horizon) =>
    returnLine(read, horizon, returnsOf(action, dense, horizon))
  );
  return toReturnsFrame(read, lines);
}

function returnLine(
  { values, span: [from, to], tickers }: Weights,
  horizon: number,
  of: Float64Array,
) {
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
  return { horizon, returns, missing, counts };
}

function toReturnsFrame(
  { span: [from, to], days }: Weights,
  lines: readonly ReturnType<typeof returnLine>[],
): TableOf<typeof RETURN_COLUMNS> {
  const { counts, numbers } = rowsByLine(to - from, lines);
  return frameOf(kindsOf(RETURN_COLUMNS), {
    session: counts((_, session) => days[from + session]!),
    horizon: counts(({ horizon }) => horizon),
    return: numbers(({ returns }, session) => returns[session]!),
    missing_weight: numbers(({ missing }, session) => missing[session]!),
    n: counts((line, session) => line.counts[session]!),
    reason: textColumn(
      "reason",
      counts(({ returns }, session) => Number.isNaN(returns[session]!) ? 0 : -1),
      ["too_few_names"],
    ),
  });
}
