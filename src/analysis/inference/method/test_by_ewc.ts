import { isTooShort, type TestedMean, toTestedMean, withoutTest } from "../tested_mean.ts";
import { demean, isConstant, sumOfSquares } from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { studentReference } from "../distribution/reference.ts";

// 4 MB: enough for 3,000 values.
const MOST_KEPT = 500_000;

// Most series of an analysis are equally long, and the cosines take most of the time.
let kept: readonly Float64Array[] = [];

/**
 * Equal-weighted cosine test (Lazarus, Lewis, Stock and Watson, 2018) with 0.2 n^(2/3) cosines, at most the number of
 * windows divided by 2.5; the default test of every mean of a series by session.
 *
 * It requires four cosines: with fewer than 20 values or 10 non-overlapping windows there is no test.
 */
export function testByEwc(observations: Observations, against = 0): TestedMean {
  const { values, overlap } = observations;
  if (isTooShort(observations)) return withoutTest(observations, "ewc", "too_few_windows");
  const df = ewcDegrees(values.length, overlap);
  // The cosines are orthogonal to the mean; without it the sums are exact.
  const variance = isConstant(values) ? 0 : sumOfSquares(cosineSums(demean(values), df)) / df;
  const reference = studentReference(df);
  return toTestedMean(observations, { method: "ewc", variance, reference, against, note: null });
}

/**
 * Number of cosines for n values whose windows overlap so many times: 0.2 n^(2/3), at least 4, and at most the number
 * of windows over 2.5. In whole numbers only, so that every implementation agrees.
 */
export function ewcDegrees(n: number, overlap: number): number {
  return Math.min(Math.max(4, fifthOfTwoThirds(n)), Math.floor(2 * n / (5 * overlap)));
}

// The largest integer with 125 k³ ≤ n²; 1000^(2/3) is 99.99… in floating point.
function fifthOfTwoThirds(n: number): number {
  let k = Math.floor(0.2 * n ** (2 / 3));
  while (125 * (k + 1) ** 3 <= n ** 2) k++;
  while (125 * k ** 3 > n ** 2) k--;
  return k;
}

/**
 * Cosine-weighted sums of values: √(2/n) Σ x_t cos(π j (t − ½) / n) for j = 1 … count.
 *
 * @param values The values, oldest first
 * @param count Number of cosines
 */
export function cosineSums(values: ArrayLike<number>, count: number): Float64Array {
  const n = values.length;
  const sums = new Float64Array(count);
  const cosines = cosinesOf(n, count);
  const row = new Float64Array(cosines === null ? n : 0);
  for (let j = 0; j < count; j++) {
    const weights = cosines === null ? fillCosines(row, j + 1) : cosines[j]!;
    let sum = 0;
    for (let t = 0; t < n; t++) sum += values[t]! * weights[t]!;
    sums[j] = Math.sqrt(2 / n) * sum;
  }
  return sums;
}

/** At least `count` cosines for series of length `n`; `null` if they are too many to cache. */
function cosinesOf(n: number, count: number): readonly Float64Array[] | null {
  if (n * count > MOST_KEPT) return null;
  if (kept[0]?.length !== n || kept.length < count) {
    kept = Array.from({ length: count }, (_, j) => fillCosines(new Float64Array(n), j + 1));
  }
  return kept;
}

function fillCosines(weights: Float64Array, j: number): Float64Array {
  const step = Math.PI * j / weights.length;
  for (let t = 0; t < weights.length; t++) weights[t] = Math.cos(step * (t + 0.5));
  return weights;
}
