/** Ranks from 1, the lowest first; equal values share the mean of theirs, and each NaN stands alone. */
export function meanRanks(values: ArrayLike<number>): Float64Array {
  const order = Int32Array.from({ length: values.length }, (_, i) => i)
    .sort((i, j) => values[i]! - values[j]!);
  const ranks = new Float64Array(values.length);
  for (let first = 0, end = 0; first < order.length; first = end) {
    end++;
    while (end < order.length && values[order[end]!] === values[order[first]!]) end++;
    for (let i = first; i < end; i++) ranks[order[i]!] = (first + 1 + end) / 2;
  }
  return ranks;
}

/** Correlation of the mean ranks of two lists; NaN if either is constant. */
export function rankCorrelation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const [a, b] = [meanRanks(x), meanRanks(y)];
  const middle = (a.length + 1) / 2;
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [u, v] = [a[i]! - middle, b[i]! - middle];
    xy += u * v;
    xx += u * u;
    yy += v * v;
  }
  return xy / Math.sqrt(xx * yy);
}
