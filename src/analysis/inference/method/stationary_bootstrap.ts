import { randomSource } from "./random_source.ts";

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
