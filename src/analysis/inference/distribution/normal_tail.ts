const ROOT = Math.sqrt(2 * Math.PI);
// Below it the tail is a half minus the middle, which loses at most one digit.
const MIDDLE = 1.5;
// Beyond it the tail is smaller than any positive double.
const FAR = 40;

/** Upper tail probability of the standard normal at `z` ≥ 0, with a relative error of about 1e-15. */
export function normalTail(z: number): number {
  if (z < MIDDLE) return 0.5 - normalMiddle(z);
  if (z > FAR) return 0;
  // Laplace's continued fraction, evaluated backwards, converges faster for larger z.
  let rest = z;
  for (let k = Math.ceil(20 + 400 / (z * z)); k > 0; k--) rest = z + k / rest;
  return normalDensity(z) / rest;
}

/** Probability that a standard normal is between 0 and a small `z`. */
export function normalMiddle(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; term > sum * 1e-17; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return sum * normalDensity(z);
}

/** Density of the standard normal. */
export function normalDensity(z: number): number {
  // The square of the rounded number is exact, so a large exponent loses no digit.
  const short = Math.fround(z);
  return (Math.exp((-short * short) / 2) * Math.exp(((short - z) * (short + z)) / 2)) / ROOT;
}
