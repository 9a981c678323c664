/** What names of one session, or of one group of it, are weighed by. */
export interface WeighRules {
  /** By the score, or all alike on each side. */
  readonly weighting: "factor" | "equal";
  /** Whether the mean (or for equal weights the median) is subtracted, so that the sides are equal. */
  readonly isNeutral: boolean;
}

/**
 * Weights of some names: their absolute values add up to 1, or all are 0 if nothing tells the names apart.
 *
 * @param scores The scores of the names
 */
export function weighNames(scores: Float64Array, rules: WeighRules): Float64Array {
  if (rules.weighting === "equal") return scaled(equalSides(scores, rules.isNeutral));
  if (!rules.isNeutral) return scaled(scores.slice());
  // The mean of equal scores can differ from them by rounding, which would then be scaled up.
  if (isConstant(scores)) return new Float64Array(scores.length);
  const weights = scores.slice();
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

function equalSides(scores: Float64Array, isNeutral: boolean): Float64Array {
  if (!isNeutral) return scores.map(Math.sign);
  const middle = medianOf(scores);
  const signs = scores.map((score) => Math.sign(score - middle));
  const longs = signs.reduce((count, sign) => count + (sign > 0 ? 1 : 0), 0);
  const shorts = signs.reduce((count, sign) => count + (sign < 0 ? 1 : 0), 0);
  return signs.map((sign) => sign > 0 ? 1 / longs : sign < 0 ? -1 / shorts : 0);
}

function medianOf(values: Float64Array): number {
  const sorted = values.toSorted();
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
