import type { DenseScores } from "../dense/dense_scores.ts";
import { returnsOf } from "../dense/returns_of.ts";

/**
 * The equal-weighted mean return of all stocks with a return that have a score, in each session of a span; NaN without any.
 *
 * @param span The sessions: those of the scores, each with its own stocks; or more, then a session without any score has the
 * stocks of the last one that has one
 */
export function universeReturns(
  dense: DenseScores,
  horizon: number,
  span: readonly [from: number, to: number] | null = null,
): Float64Array {
  const returns = returnsOf("average the universe", dense, horizon);
  const width = dense.tickers.length;
  const [from, to] = span ?? [dense.from, dense.to];
  let named = from;
  while (span !== null && named > dense.from && !isScored(dense, named)) named--;
  return Float64Array.from({ length: Math.max(0, to - from) }, (_, session) => {
    const place = from + session;
    if (span === null || isScored(dense, place)) named = place;
    let [sum, n] = [0, 0];
    for (let name = 0; name < width; name++) {
      const value = returns[place * width + name]!;
      const score = dense.scores[named * width + name]!;
      if (value !== value || score !== score) continue;
      sum += value;
      n++;
    }
    return sum / n;
  });
}

function isScored({ scores, tickers }: DenseScores, session: number): boolean {
  const width = tickers.length;
  return scores.subarray(session * width, (session + 1) * width).some((s) => !Number.isNaN(s));
}
