import { UPPER_END } from "../../base/statistics/moments.ts";

// The number of terms grows with the square root of the larger parameter.
const INCOMPLETE_BETA_MOST_STEPS = 1_000_000;

const TINY = 1e-300;

// From here on the series of Stirling's error has full precision.
const LARGE = 16;

// Beyond it the tail of Student's t is a power to full precision, and the square of t would overflow.
const FAR = 1e100;

const MOST_STEPS = 200;
// The next step of Newton's method squares it.
const SMALL_STEP = 1e-9;
const LARGE_STEP = 300;

const ROOT = Math.sqrt(2 * Math.PI);
// Below it the tail is a half minus the middle, which loses at most one digit.
const MIDDLE = 1.5;
// Beyond it the tail is smaller than any positive double.
const NO_TAIL = 40;

/** Quantile of Student's t. */
export function studentQuantile(probability: number, df: number): number {
  if (!(df > 0)) return NaN;
  return symmetricQuantile(probability, {
    middle: (t) => studentMiddle(t, df),
    tail: (t) => studentTail(t, df),
    slope: (t) => studentSlope(t, df),
  });
}

/** Two-sided tail probability of Student's t, accurate far out as well. */
export function studentTwoSided(t: number, df: number): number {
  return Math.min(1, 2 * studentTail(Math.abs(t), df));
}

/** Distribution function of the standard normal. */
export function normalCdf(z: number): number {
  return z < 0 ? normalTail(-z) : 1 - normalTail(z);
}

/** Quantile of the standard normal. */
export function normalQuantile(probability: number): number {
  return symmetricQuantile(probability, {
    middle: normalMiddle,
    tail: normalTail,
    slope: (z) => z * normalDensity(z),
  });
}

/** Two-sided tail probability of the standard normal. */
export function normalTwoSided(z: number): number {
  return Math.min(1, 2 * normalTail(Math.abs(z)));
}

/** Upper tail probability of the F distribution. */
export function fTail(f: number, df1: number, df2: number): number {
  if (!(df1 > 0 && df2 > 0) || Number.isNaN(f)) return NaN;
  if (f <= 0) return 1;
  if (f === Infinity) return 0;
  return incompleteBeta(placeOf(f, df1, df2));
}

/** Upper tail probability of Student's t at `t` ≥ 0. */
function studentTail(t: number, df: number): number {
  if (t > FAR) return studentTail(FAR, df) * (t / FAR) ** -df;
  return fTail(t * t, 1, df) / 2;
}

/** `t` > 0 times the density of Student's t at `t`. */
function studentSlope(t: number, df: number): number {
  if (t > FAR) return studentSlope(FAR, df) * (t / FAR) ** -df;
  return betaPower(placeOf(t * t, 1, df));
}

/** Probability that Student's t is between 0 and `t`. */
function studentMiddle(t: number, df: number): number {
  const { a, b, x, y, excess } = placeOf(t * t, 1, df);
  return incompleteBeta({ a: b, b: a, x: y, y: x, excess: -excess }) / 2;
}

/** Point of a beta distribution that corresponds to an F statistic. */
function placeOf(f: number, df1: number, df2: number): BetaPlace {
  const total = df2 + df1 * f;
  const x = df2 / total;
  return { a: df2 / 2, b: df1 / 2, x, y: (df1 * f) / total, excess: (df1 / 2) * (f - 1) * x };
}

/**
 * A continuous distribution that is symmetric around zero: the probability between 0 and `x`, the one above `x`, and `x` > 0 times the
 * density at `x`, which neither overflows nor underflows far out.
 */
type SymmetricDistribution = Readonly<Record<"middle" | "tail" | "slope", (x: number) => number>>;

/** Quantile of a distribution. */
function symmetricQuantile(probability: number, distribution: SymmetricDistribution): number {
  if (!(probability >= 0 && probability <= 1)) return NaN;
  // Both differences are exact.
  const side = Math.min(probability, 1 - probability);
  const sign = probability < 0.5 ? -1 : 1;
  if (side === 0) return sign * Infinity;
  return sign * (side > 0.25 ? fromMiddle(0.5 - side, distribution) : fromTail(side, distribution));
}

/** Newton's method from below: the middle is concave, so no step overshoots. */
function fromMiddle(probability: number, { middle, slope }: SymmetricDistribution): number {
  if (probability === 0) return 0;
  // No density here exceeds the normal one.
  let x = probability * Math.sqrt(2 * Math.PI);
  for (let i = 0; i < MOST_STEPS; i++) {
    const step = (x * (probability - middle(x))) / slope(x);
    x += step;
    if (Math.abs(step) < SMALL_STEP * x) break;
  }
  return x;
}

/** Newton's method on logarithms: the log tail is concave in log x, so all steps but the first stay above the quantile. */
function fromTail(probability: number, { tail, slope }: SymmetricDistribution): number {
  let x = Math.sqrt(-2 * Math.log(2 * probability));
  let lowest = 1;
  for (let i = 0; i < MOST_STEPS; i++) {
    const above = tail(x);
    if (above > probability) lowest = Math.max(lowest, x);
    if (above === 0) {
      // The tail underflows.
      x = Math.sqrt(x) * Math.sqrt(lowest);
      continue;
    }
    const step = (logRatio(above, probability) * above) / slope(x);
    x *= Math.exp(Math.min(step, LARGE_STEP));
    if (Math.abs(step) < SMALL_STEP) break;
  }
  return x;
}

function logRatio(a: number, b: number): number {
  const change = (a - b) / b;
  return Math.abs(change) < 0.5 ? Math.log1p(change) : Math.log(a) - Math.log(b);
}

/** Upper tail probability of the standard normal at `z` ≥ 0, with a relative error of about 1e-15. */
function normalTail(z: number): number {
  if (z < MIDDLE) return 0.5 - normalMiddle(z);
  if (z > NO_TAIL) return 0;
  // Laplace's continued fraction, evaluated backwards, converges faster for larger z.
  let rest = z;
  for (let k = Math.ceil(20 + 400 / (z * z)); k > 0; k--) rest = z + k / rest;
  return normalDensity(z) / rest;
}

/** Probability that a standard normal is between 0 and a small `z`. */
function normalMiddle(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; term > sum * 1e-17; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return sum * normalDensity(z);
}

/** Density of the standard normal. */
function normalDensity(z: number): number {
  // The square of the rounded number is exact, so a large exponent loses no digit.
  const short = Math.fround(z);
  return (Math.exp((-short * short) / 2) * Math.exp(((short - z) * (short + z)) / 2)) / ROOT;
}

/**
 * A point `x` of a beta distribution with the parameters `a` and `b`; `y` is 1 − x, and `excess` a y − b x, both without their rounding
 * errors.
 */
type BetaPlace = Readonly<Record<"a" | "b" | "x" | "y" | "excess", number>>;

/**
 * The regularised incomplete beta function, with a relative error of about 1e-14 where it is below a half.
 *
 * Uses the continued fraction of DiDonato and Morris (1992), which stays accurate for large parameters.
 */
function incompleteBeta(place: BetaPlace): number {
  const { a, b, x, y, excess } = place;
  if (x === 0) return 0;
  if (y === 0) return 1;
  if (x <= (a + 1) / (a + b + 2)) return betaPower(place) / fraction(place);
  const mirrored = { a: b, b: a, x: y, y: x, excess: -excess };
  return 1 - betaPower(mirrored) / fraction(mirrored);
}

/** The continued fraction, by Lentz's method. */
function fraction({ a, b, x, excess }: BetaPlace): number {
  let value = (a * (excess + 1)) / (a + 1) || TINY;
  let above = value;
  let below = 0;
  for (let m = 1; m <= INCOMPLETE_BETA_MOST_STEPS; m++) {
    const odd = a + 2 * m - 1;
    const numerator = ((a + m - 1) / odd) * ((a + b + m - 1) / odd) * m * (b - m) * x * x;
    const term = m + (m * (b - m) * x) / odd + ((a + m) * (excess + 1 + m * (2 - x))) / (odd + 2);
    below = 1 / (term + numerator * below || TINY);
    above = term + numerator / above || TINY;
    const change = above * below;
    value *= change;
    if (Math.abs(change - 1) < 2e-16) break;
  }
  return value;
}

/**
 * `x ** a * y ** b / B(a, b)`, by the method of Loader (2000), which stays accurate for large parameters.
 */
function betaPower({ a, b, x, y, excess }: BetaPlace): number {
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

/** Reference distribution of a t ratio. */
export interface Reference {
  /** Degrees of freedom of Student's t; `null` for another distribution. */
  readonly df: number | null;
  /** Two-sided p value of a ratio. */
  pOf(t: number): number;
  /** Two-sided critical value at 5%. */
  readonly critical: number;
  /** Quantile at 80%. */
  readonly fourFifths: number;
}

/** Student's t as the reference. */
export function studentReference(df: number): Reference {
  return {
    df,
    pOf: (t) => studentTwoSided(t, df),
    critical: studentQuantile(UPPER_END, df),
    fourFifths: studentQuantile(0.8, df),
  };
}

/** The normal distribution as the reference. */
export const NORMAL: Reference = {
  df: null,
  pOf: normalTwoSided,
  critical: normalQuantile(UPPER_END),
  fourFifths: normalQuantile(0.8),
};
