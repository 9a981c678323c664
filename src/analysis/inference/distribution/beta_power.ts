/** A point of a beta distribution, with its parameters. */
export interface BetaPlace {
  /** First parameter. */
  readonly a: number;
  /** Second parameter. */
  readonly b: number;
  /** The point, from 0 to 1. */
  readonly x: number;
  /** `1 - x`, without its rounding error. */
  readonly y: number;
  /** `a * y - b * x`, without its rounding error. */
  readonly excess: number;
}

// From here on the series of Stirling's error has full precision.
const LARGE = 16;

/**
 * `x ** a * y ** b / B(a, b)`, by the method of Loader (2000), which stays accurate for large parameters.
 */
export function betaPower({ a, b, x, y, excess }: BetaPlace): number {
  const n = a + b;
  const exponent = stirlingError(n) - stirlingError(a) - stirlingError(b) -
    deviance(a, n * x, excess) - deviance(b, n * y, -excess);
  return Math.exp(exponent) * Math.sqrt((a * b) / (2 * Math.PI * n));
}

/** `log(n!)` minus Stirling's approximation. */
function stirlingError(n: number): number {
  let error = 0;
  let large = n;
  for (; large < LARGE; large++) error += (large + 0.5) * Math.log1p(1 / large) - 1;
  const s = 1 / (large * large);
  return error + (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - s / 1188) * s) * s) * s) / large;
}

/** `k * log(k / mean) + mean - k`, where `k - mean` is given. */
function deviance(k: number, mean: number, excess: number): number {
  if (Math.abs(excess) >= 0.1 * (k + mean)) return k * Math.log(k / mean) - excess;
  const v = excess / (k + mean);
  let sum = excess * v;
  let term = 2 * k * v;
  for (let j = 3; Math.abs(term) > Math.abs(sum) * 1e-17; j += 2) {
    term *= v * v;
    sum += term / j;
  }
  return sum;
}
