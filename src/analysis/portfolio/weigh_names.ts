import { medianOf } from "../../base/statistics/moments.ts";

/** Rules that weigh the stocks of one session, or of one group of it. */
export interface WeighRules {
  /** By the score, by its rank, or all alike on each side. */
  readonly weighting: "factor" | "rank" | "equal";
  /** Subtracts the mean (or for equal weights the median), so that the sides are equal. */
  readonly isNeutral: boolean;
  /** Leaves stocks at the median without weight even where nothing lies beyond it, as alphalens does. */
  readonly isMedianOut?: boolean;
}

/**
 * Weights of some stocks: their absolute values add up to 1, or all are 0 if nothing tells the stocks apart.
 *
 * @param scores The scores of the stocks
 */
export function weighNames(scores: Float64Array, rules: WeighRules): Float64Array {
  if (rules.weighting === "equal") return scaled(equalSides(scores, rules));
  const weights = rules.weighting === "rank" ? averageRanks(scores) : scores.slice();
  if (!rules.isNeutral) return scaled(weights);
  // The mean of equal scores can differ from them by rounding, which would then be scaled up.
  if (isConstant(scores)) return new Float64Array(scores.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]!;
  const mean = sum / weights.length;
  for (let i = 0; i < weights.length; i++) weights[i]! -= mean;
  return scaled(weights);
}

/** Weights divided by the sum of their absolute values. */
export function scaled(weights: Float64Array): Float64Array {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += Math.abs(weights[i]!);
  if (sum === 0) return weights;
  const shares = new Float64Array(weights.length);
  for (let i = 0; i < weights.length; i++) shares[i] = weights[i]! / sum;
  return shares;
}

function equalSides(
  scores: Float64Array,
  { isNeutral, isMedianOut = false }: WeighRules,
): Float64Array {
  if (!isNeutral) return scores.map(Math.sign);
  const middle = medianOf(scores);
  const signs = scores.map((score) => Math.sign(score - middle));
  const count = (side: number) => signs.reduce((n, sign) => n + (sign === side ? 1 : 0), 0);
  const [longs, shorts, ties] = [count(1), count(-1), count(0)];
  // Half of the stocks or more share an end: they are the side that lies at the median.
  const tied = isMedianOut || (longs > 0) === (shorts > 0) ? 0 : longs > 0 ? -1 / ties : 1 / ties;
  return signs.map((sign) => sign > 0 ? 1 / longs : sign < 0 ? -1 / shorts : tied);
}

/** Ranks from 1; equal scores share the mean of theirs. */
function averageRanks(scores: Float64Array): Float64Array {
  const order = Array.from(scores.keys()).toSorted((a, b) => scores[a]! - scores[b]!);
  const ranks = new Float64Array(scores.length);
  for (let first = 0, end = 0; first < order.length; first = end) {
    while (end < order.length && scores[order[end]!] === scores[order[first]!]) end++;
    for (let i = first; i < end; i++) ranks[order[i]!] = (first + 1 + end) / 2;
  }
  return ranks;
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
