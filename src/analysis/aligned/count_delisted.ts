import type { DenseScores, Marks } from "../dense/dense_scores.ts";

/** Number of stocks with a score whose last close is before the end of the prices. */
export function countDelisted(
  { scores, tickers, days }: Pick<DenseScores, "scores" | "tickers" | "days">,
  { ends }: Pick<Marks, "ends">,
): number {
  const width = tickers.length;
  const ended = [...tickers.keys()].filter((name) => ends[name]! <= days.length);
  const isScored = (name: number) => days.some((_, d) => !Number.isNaN(scores[d * width + name]!));
  return ended.filter(isScored).length;
}
