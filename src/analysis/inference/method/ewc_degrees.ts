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
