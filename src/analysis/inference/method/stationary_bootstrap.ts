import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Options of the bootstrap draws. */
export interface BootstrapPlan {
  /** Number of values. */
  readonly n: number;
  /** Mean length of a block. */
  readonly block: number;
  /** Number of draws. */
  readonly draws: number;
  /** Seed of all draws. */
  readonly seed: number;
}

/**
 * Draws of the stationary bootstrap (Politis and Romano, 1994): indices of values, in blocks of geometric length that wrap
 * around from the last value to the first. The array is reused from draw to draw.
 */
export function* stationaryDraws({ n, block, draws, seed }: BootstrapPlan): Generator<Int32Array> {
  const random = randomSource(seed);
  const places = new Int32Array(n);
  for (let draw = 0; draw < draws; draw++) {
    let place = 0;
    for (let t = 0; t < n; t++) {
      const isNew = t === 0 || random.uniform() * block < 1;
      place = isNew ? random.below(n) : (place + 1) % n;
      places[t] = place;
    }
    yield places;
  }
}

/** A seeded stream of random numbers. */
export interface RandomSource {
  /** A number from 0 (included) to 1 (excluded). */
  uniform(): number;
  /** A whole number from 0 (included) to `below` (excluded). */
  below(below: number): number;
}

/** A seeded xoroshiro128+ stream, the same on every machine. */
export function randomSource(seed: number): RandomSource {
  const generator = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(generator);
  return { uniform, below: (below) => Math.floor(uniform() * below) };
}
