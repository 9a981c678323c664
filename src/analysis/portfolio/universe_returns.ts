import { type DenseScores, returnsOf } from "../dense/dense_scores.ts";

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
