import type { DenseScores } from "../dense/dense_scores.ts";
import { returnsOf } from "../dense/returns_of.ts";

/** The equal-weighted mean return of all names with score and return, in each session of the scores; NaN without any. */
export function universeReturns(dense: DenseScores, horizon: number): Float64Array {
  const returns = returnsOf("average the universe", dense, horizon);
  const width = dense.tickers.length;
  return Float64Array.from({ length: dense.to - dense.from }, (_, session) => {
    const start = (dense.from + session) * width;
    let [sum, n] = [0, 0];
    for (let cell = start; cell < start + width; cell++) {
      const value = returns[cell]!;
      if (value !== value || dense.scores[cell] !== dense.scores[cell]) continue;
      sum += value;
      n++;
    }
    return sum / n;
  });
}
