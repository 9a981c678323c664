import { normalQuantile, normalTwoSided } from "./distributions.ts";
import type { Reference } from "./reference.ts";

// Probability below the critical value, and a0 … a3 of a0 + a1 b + a2 b² + a3 b³: Bartlett kernel.
const CUBICS = [
  [0.9, 1.2816, 1.304, 0.5135, -0.3386],
  [0.95, 1.6449, 2.1859, 0.3142, -0.3427],
  [0.975, 1.96, 2.9694, 0.416, -0.5324],
  [0.99, 2.3263, 4.1618, 0.5368, -0.906],
] as const;

/**
 * Fixed-b distribution of a t ratio whose standard error uses the Bartlett kernel over a fixed share b of the sample (Kiefer and
 * Vogelsang, 2005, table 1). P values are interpolated between the critical values of the table, and extrapolated beyond 99%.
 */
export function fixedB(b: number): Reference {
  const knots = CUBICS.map(([probability, ...a]) => ({
    z: normalQuantile(probability),
    t: a[0] + a[1] * b + a[2] * b ** 2 + a[3] * b ** 3,
  }));
  return {
    df: null,
    pOf: (t) => normalTwoSided(interpolate(knots, Math.abs(t), "t", "z")),
    critical: knots[2]!.t,
    fourFifths: interpolate(knots, normalQuantile(0.8), "z", "t"),
  };
}

interface Knot {
  readonly z: number;
  readonly t: number;
}

function interpolate(
  knots: readonly Knot[],
  x: number,
  from: keyof Knot,
  to: keyof Knot,
): number {
  const points = [{ z: 0, t: 0 }, ...knots];
  const found = points.findIndex((point) => point[from] >= x);
  const right = found === -1 ? points.length - 1 : Math.max(1, found);
  const [a, b] = [points[right - 1]!, points[right]!];
  return a[to] + (x - a[from]) * (b[to] - a[to]) / (b[from] - a[from]);
}
