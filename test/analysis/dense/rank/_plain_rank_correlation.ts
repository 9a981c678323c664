import type { Reason } from "../../../../src/analysis/reason.ts";

/**
 * Spearman's correlation by its definition: Pearson's correlation of the average ranks of the stocks that have both values.
 * Its time is quadratic in their number; `RankCorrelation` computes the same bits from sorted values.
 */
export function plainRankCorrelation(
  scores: readonly number[],
  returns: readonly number[],
  minNames: number,
): { readonly rho: number; readonly n: number; readonly reason: Reason | null } {
  const both = [...scores.keys()]
    .filter((i) => !Number.isNaN(scores[i]) && !Number.isNaN(returns[i]));
  const n = both.length;
  const x = centredRanks(both.map((i) => scores[i]!));
  const y = centredRanks(both.map((i) => returns[i]!));
  const [xx, yy, xy] = [products(x, x), products(y, y), products(x, y)];
  if (n < Math.max(2, minNames)) return { rho: NaN, n, reason: "too_few_names" };
  if (xx === 0) return { rho: NaN, n, reason: "constant_scores" };
  if (yy === 0) return { rho: NaN, n, reason: "constant_returns" };
  return { rho: Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))), n, reason: null };
}

/** Twice each average rank minus twice the mean rank: the number of values below minus the number above. */
function centredRanks(values: readonly number[]): readonly number[] {
  return values.map((value) => values.reduce((rank, other) => rank + Math.sign(value - other), 0));
}

function products(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
