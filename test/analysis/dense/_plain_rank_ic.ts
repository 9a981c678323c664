/** Spearman's correlation as the books define it, with how many names have both and why there is none. */
export interface PlainRankIc {
  readonly rho: number;
  readonly n: number;
  readonly reason: "too_few_names" | "constant_scores" | "constant_returns" | null;
}

/** Counts the rank of each value among those of the names that have both, by looking at all of them. */
export function plainRankIc(
  scores: readonly number[],
  returns: readonly number[],
  minNames: number,
): PlainRankIc {
  const both = scores.flatMap((score, name) =>
    Number.isNaN(score) || Number.isNaN(returns[name]) ? [] : [[score, returns[name]!] as const]
  );
  const n = both.length;
  if (n < Math.max(2, minNames)) return { rho: NaN, n, reason: "too_few_names" };
  const [x, y] = [doubledRanks(both.map(([score]) => score)), doubledRanks(both.map(([, r]) => r))];
  const [sx, sy] = [squares(x), squares(y)];
  if (sx === 0) return { rho: NaN, n, reason: "constant_scores" };
  if (sy === 0) return { rho: NaN, n, reason: "constant_returns" };
  let products = 0;
  for (const [i, rank] of x.entries()) products += (rank - (n - 1)) * (y[i]! - (n - 1));
  const rho = products / Math.sqrt(sx * sy);
  return { rho: Math.max(-1, Math.min(1, rho)), n, reason: null };
}

/** Twice the rank from 0 on: names below, and half of the others that are equal. */
function doubledRanks(values: readonly number[]): readonly number[] {
  return values.map((value) => {
    let doubled = -1;
    for (const other of values) doubled += other < value ? 2 : other === value ? 1 : 0;
    return doubled;
  });
}

function squares(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + (rank - (ranks.length - 1)) ** 2, 0);
}
