import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A stream of random numbers that a seed determines. */
export interface RandomSource {
  /** A number from 0 (included) to 1 (excluded). */
  uniform(): number;
  /** A whole number from 0 (included) to `below` (excluded). */
  below(below: number): number;
}

/** The stream of a seed: xoroshiro128+, the same on every machine. */
export function randomSource(seed: number): RandomSource {
  const generator = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(generator);
  return { uniform, below: (below) => Math.floor(uniform() * below) };
}
