import { demean, isConstant, sumOfSquares } from "../../base/statistics/moments.ts";
import { keepTies } from "../../base/statistics/keep_ties.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { Reason } from "../reason.ts";
import { fitWithin } from "./fit_within.ts";

/** Exposures of the stocks, as sessions × tickers. */
export interface DenseExposures {
  /** Columns of numbers; NaN for none. */
  readonly columns: readonly Float64Array[];
  /** Group of each stock, −1 or NaN for none; `null` without groups. */
  readonly groups: Int32Array | Float64Array | null;
}

/** Regression of the returns of one session and horizon. */
export interface RemovedReturns {
  readonly day: number;
  readonly horizon: number;
  /** Stocks in the regression. */
  readonly n: number;
  /** Scored stocks with a return and without a group or an exposure. */
  readonly leftOut: number;
  readonly rSquared: number | null;
  readonly reason: Reason | null;
}

/** Scores with the residuals of their returns. */
export interface SpecificReturns {
  readonly dense: DenseScores;
  readonly removed: readonly RemovedReturns[];
}

/** Residuals of the returns of the scored stocks of each session and horizon on the exposures; NaN where there is none. */
export function specificReturns(dense: DenseScores, exposures: DenseExposures): SpecificReturns {
  const removed: RemovedReturns[] = [];
  const returns = new Map<number, Float64Array>();
  for (const [horizon, values] of dense.returns) {
    const residuals = new Float64Array(values.length).fill(NaN);
    for (let d = dense.from; d < dense.to; d++) {
      const session = regressSession({ values, residuals, scores: dense.scores }, exposures, {
        d,
        width: dense.tickers.length,
      });
      removed.push({ day: dense.days[d]!, horizon, ...session });
    }
    returns.set(horizon, residuals);
  }
  // Residuals have no closes that an account could be marked at.
  return { dense: { ...dense, returns, marks: null }, removed };
}

function regressSession(
  { values, residuals, scores }: {
    readonly values: Float64Array;
    readonly residuals: Float64Array;
    readonly scores: Float64Array;
  },
  { columns, groups }: DenseExposures,
  { d, width }: { readonly d: number; readonly width: number },
): Omit<RemovedReturns, "day" | "horizon"> {
  const used: number[] = [];
  let leftOut = 0;
  for (let cell = d * width; cell < (d + 1) * width; cell++) {
    if (Number.isNaN(values[cell]!) || Number.isNaN(scores[cell]!)) continue;
    const isKnown = (groups === null || groups[cell]! >= 0) &&
      columns.every((column) => !Number.isNaN(column[cell]!));
    if (isKnown) used.push(cell);
    else leftOut++;
  }
  const codes = used.map((cell) => groups === null ? 0 : groups[cell]!);
  const none = (reason: Reason) => ({ n: used.length, leftOut, rSquared: null, reason });
  if (used.length < new Set(codes).size + columns.length + 2) return none("too_few_names");
  const y = used.map((cell) => values[cell]!);
  if (isConstant(y)) return none("constant_returns");
  const fit = fitWithin(y, columns.map((column) => used.map((cell) => column[cell]!)), codes);
  if (fit === null) return none("rank_deficient");
  for (const [i, cell] of used.entries()) residuals[cell] = keepTies(fit.residuals[i]!);
  const rSquared = 1 - sumOfSquares(fit.residuals) / sumOfSquares(demean(y));
  return { n: used.length, leftOut, rSquared, reason: null };
}
