/** A continuous distribution that is symmetric around zero. */
export interface SymmetricDistribution {
  /** Probability between 0 and `x`. */
  readonly middle: (x: number) => number;
  /** Probability above `x`. */
  readonly tail: (x: number) => number;
  /** `x` > 0 times the density at `x`, which neither overflows nor underflows far out. */
  readonly slope: (x: number) => number;
}

const MOST_STEPS = 200;
// The next step of Newton's method squares it.
const SMALL_STEP = 1e-9;
const LARGE_STEP = 300;

/** Quantile of a distribution. */
export function symmetricQuantile(
  probability: number,
  distribution: SymmetricDistribution,
): number {
  if (!(probability >= 0 && probability <= 1)) return NaN;
  // Both differences are exact.
  const side = Math.min(probability, 1 - probability);
  const sign = probability < 0.5 ? -1 : 1;
  if (side === 0) return sign * Infinity;
  return sign * (side > 0.25 ? fromMiddle(0.5 - side, distribution) : fromTail(side, distribution));
}

/** Newton's method from below: the middle is concave, so no step overshoots. */
function fromMiddle(
  probability: number,
  { middle, slope }: SymmetricDistribution,
): number {
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
