import { type BetaPlace, betaPower } from "./beta_power.ts";
import { incompleteBeta } from "./incomplete_beta.ts";
import { normalDensity, normalMiddle, normalTail } from "./normal_tail.ts";
import { symmetricQuantile } from "./symmetric_quantile.ts";

// Beyond it the tail of Student's t is a power to full precision, and the square of t would overflow.
const FAR = 1e100;

/** Distribution function of Student's t. */
export function studentCdf(t: number, df: number): number {
  return t < 0 ? studentTail(-t, df) : 1 - studentTail(t, df);
}

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
