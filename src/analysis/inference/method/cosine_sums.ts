/**
 * Sums of values weighted with the first cosines: √(2/n) Σ x_t cos(π j (t − ½) / n) for j = 1 … count.
 *
 * @param values The values, oldest first
 * @param count Number of cosines
 */
export function cosineSums(values: ArrayLike<number>, count: number): Float64Array {
  const n = values.length;
  const sums = new Float64Array(count);
  for (let j = 1; j <= count; j++) {
    const step = Math.PI * j / n;
    let sum = 0;
    for (let t = 0; t < n; t++) sum += values[t]! * Math.cos(step * (t + 0.5));
    sums[j - 1] = Math.sqrt(2 / n) * sum;
  }
  return sums;
}
