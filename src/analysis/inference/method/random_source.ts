import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

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
