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

// 4 MB: enough for 3,000 values.
const MOST_KEPT = 500_000;

// Most series of an analysis are equally long, and the cosines take most of the time.
let kept: readonly Float64Array[] = [];

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
