/** The mean IC at a lag, with the inverse of its variance. */
export interface DecayPoint {
  readonly lag: number;
  readonly mean: number;
  readonly weight: number;
}

/** A curve a · 2^(−(lag − lag₁) / L) from the shortest lag. */
export interface DecayFit {
  /** The value at the shortest lag. */
  readonly level: number;
  /** The lag after which half is left. */
  readonly halfLife: number;
  /** True if the half-life is the longest that was tried: the points show no decay. */
  readonly isFlat: boolean;
  /** True if the half-life is the shortest that was tried: nothing is left after the shortest lag. */
  readonly isShort: boolean;
}

/** The shortest half-life that is tried, in sessions. */
export const SHORTEST = 0.25;
const LONGEST_LAGS = 10;
const GRID = 60;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Fits a · 2^(−(lag − lag₁) / L) to points by weighted least squares, lag₁ being the shortest lag: a level that was never
 * observed, at lag 0, would have no bound where a relation is over after one lag. For each L the best a is known, so only
 * L is searched for: on a grid first, since the sum of squares can have several valleys, then by golden section. L is between a quarter of
 * a session and ten times the longest lag.
 */
export function fitDecay(points: readonly DecayPoint[]): DecayFit {
  const lags = points.map(({ lag }) => lag);
  const [first, longest] = [Math.min(...lags), LONGEST_LAGS * Math.max(...lags)];
  const shifted = points.map((point) => ({ ...point, lag: point.lag - first }));
  const [from, to] = [Math.log(SHORTEST), Math.log(longest)];
  const step = (to - from) / GRID;
  const lossAt = (log: number) => fitLevel(shifted, Math.exp(log)).loss;
  let best = from;
  for (let k = 1; k <= GRID; k++) {
    if (lossAt(from + k * step) < lossAt(best)) best = from + k * step;
  }
  const log = goldenSection(lossAt, Math.max(from, best - step), Math.min(to, best + step));
  const halfLife = Math.exp(log);
  return {
    level: fitLevel(shifted, halfLife).level,
    halfLife,
    isFlat: to - log < 1e-6,
    isShort: log - from < 1e-6,
  };
}

function fitLevel(points: readonly DecayPoint[], halfLife: number) {
  let [xy, xx] = [0, 0];
  for (const { lag, mean, weight } of points) {
    const x = 2 ** (-lag / halfLife);
    xy += weight * x * mean;
    xx += weight * x * x;
  }
  const level = xx === 0 ? 0 : xy / xx;
  const loss = points.reduce(
    (sum, { lag, mean, weight }) => sum + weight * (mean - level * 2 ** (-lag / halfLife)) ** 2,
    0,
  );
  return { level, loss };
}

function goldenSection(lossAt: (x: number) => number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let round = 0; round < 80; round++) {
    const [x, y] = [b - GOLDEN * (b - a), a + GOLDEN * (b - a)];
    if (lossAt(x) <= lossAt(y)) b = y;
    else a = x;
  }
  return (a + b) / 2;
}
