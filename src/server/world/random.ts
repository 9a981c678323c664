const GOLDEN = 0x9e3779b9;

/**
 * Hashes a seed and coordinates to a 32-bit number, independent of platform and order. An hour of a world
 * therefore does not depend on the hours generated before it.
 */
export function hash32(seed: number, a: number, b = 0): number {
  let h = mix(seed ^ Math.imul(a | 0, GOLDEN));
  h = mix((h + Math.imul(b | 0, 0x85ebca77)) ^ (a / 0x100000000));
  return h >>> 0;
}

/** A number from 0 (included) to 1 (excluded). */
export function uniform(seed: number, a: number, b = 0): number {
  return hash32(seed, a, b) / 0x100000000;
}

/** A whole number from `from` (included) to `to` (excluded). */
export function integer(
  seed: number,
  range: { readonly from: number; readonly to: number },
  a: number,
  b = 0,
): number {
  return range.from + Math.floor(uniform(seed, a, b) * (range.to - range.from));
}

/** A number of the standard normal distribution (Box and Muller, 1958). */
export function normal(seed: number, a: number, b = 0): number {
  const h = hash32(seed, a, b);
  const radius = Math.sqrt(-2 * Math.log((h + 1) / 0x100000001));
  const turn = (mix(h ^ GOLDEN ^ seed) >>> 0) / 0x100000000;
  return radius * Math.cos(2 * Math.PI * turn);
}

/** Seed for one purpose, so that purposes do not share random numbers. */
export function seedOf(seed: number, purpose: string): number {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < purpose.length; i++) {
    h = Math.imul(h ^ purpose.charCodeAt(i), 0x01000193);
  }
  return mix(h) >>> 0;
}

// The finalizer of MurmurHash3.
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
