import type { DenseScores } from "../dense/dense_scores.ts";
import { type Exposures, regressOnExposures, type SectionFit } from "./fit_within.ts";

/** Regression of the returns of one session and horizon. */
export interface RemovedReturns extends SectionFit {
  readonly session: number;
  readonly horizon: number;
}

/** Residuals of the returns of the scored stocks of each session and horizon on the exposures; NaN where there is none. */
export function specificReturns(
  dense: DenseScores,
  exposures: Exposures,
): { readonly dense: DenseScores; readonly removed: readonly RemovedReturns[] } {
  const { scores, days, tickers: { length: width } } = dense;
  const removed: RemovedReturns[] = [];
  const returns = new Map<number, Float64Array>();
  for (const [horizon, values] of dense.returns) {
    const residuals = new Float64Array(values.length).fill(NaN);
    for (let d = dense.from; d < dense.to; d++) {
      const known: number[] = [];
      for (let cell = d * width; cell < (d + 1) * width; cell++) {
        if (!Number.isNaN(values[cell]!) && !Number.isNaN(scores[cell]!)) known.push(cell);
      }
      const fit = regressOnExposures({ values, residuals }, known, exposures, "constant_returns");
      removed.push({ session: days[d]!, horizon, ...fit });
    }
    returns.set(horizon, residuals);
  }
  // Residuals have no closes that an account could be marked at.
  return { dense: { ...dense, returns, marks: null }, removed };
}
