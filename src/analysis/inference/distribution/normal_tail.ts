const ROOT = Math.sqrt(2 * Math.PI);
// Below it the tail is half of all minus the middle, which loses one digit at most.
const MIDDLE = 1.5;
// Beyond it a tail is less than any number above zero.
const FAR = 40;

/** Probability that a standard normal is above a number of at least 0, to about 1e-15 of itself. */
export function normalTail(z: number): number {
  if (z < MIDDLE) return 0.5 - normalMiddle(z);
  if (z > FAR) return 0;
  // Laplace's continued fraction, evaluated backwards: it converges faster further out.
  let rest = z;
  for (let k = Math.ceil(20 + 400 / (z * z)); k > 0; k--) rest = z + k / rest;
  return normalDensity(z) / rest;
}

/** Probability that a standard normal is between 0 and a small number. */
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
  // The square of the rounded number is exact, so that no digit of a large exponent is lost.
  const short = Math.fround(z);
  return (Math.exp((-short * short) / 2) * Math.exp(((short - z) * (short + z)) / 2)) / ROOT;
}
