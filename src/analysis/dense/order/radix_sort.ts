import type { PlacedValues } from "./placed_values.ts";

const RADIX = 256;
const DIGITS = 4;

/** Sorts places by the upper 32 bits of their values, ascending; places with equal ones keep their order. */
export class RadixSort {
  readonly #counts = new Uint32Array(RADIX * DIGITS);
  readonly #keys: Uint32Array;
  readonly #spareKeys: Uint32Array;
  readonly #spare: Int32Array;

  /** @param capacity How many places are sorted at most */
  constructor(capacity: number) {
    this.#keys = new Uint32Array(capacity);
    this.#spareKeys = new Uint32Array(capacity);
    this.#spare = new Int32Array(capacity);
  }

  /**
   * Sorts the first `count` places.
   *
   * @param places Indices into the values from `base` on; sorted in place
   */
  sort(places: Int32Array, count: number, { values, base }: PlacedValues): void {
    const words = new Uint32Array(values.buffer, values.byteOffset, values.length * 2);
    const counts = this.#counts.fill(0);
    const keys = this.#keys;
    for (let i = 0; i < count; i++) {
      const high = words[2 * (base + places[i]!) + 1]!;
      // The order of unsigned integers is that of the values once negative ones are turned over.
      const key = (high ^ ((-(high >>> 31)) | 0x80000000)) >>> 0;
      keys[i] = key;
      counts[key & 255]!++;
      counts[256 + ((key >>> 8) & 255)]!++;
      counts[512 + ((key >>> 16) & 255)]!++;
      counts[768 + (key >>> 24)]!++;
    }
    this.#distribute(places, count);
  }

  #distribute(places: Int32Array, count: number): void {
    const counts = this.#counts;
    let [keys, nextKeys] = [this.#keys, this.#spareKeys];
    let [from, to] = [places, this.#spare];
    for (let digit = 0; digit < DIGITS; digit++) {
      const shift = digit * 8;
      const start = digit * RADIX;
      if (counts[start + ((keys[0]! >>> shift) & 255)] === count) continue;
      for (let i = start, sum = 0; i < start + RADIX; i++) {
        const size = counts[i]!;
        counts[i] = sum;
        sum += size;
      }
      for (let i = 0; i < count; i++) {
        const key = keys[i]!;
        const place = counts[start + ((key >>> shift) & 255)]!++;
        nextKeys[place] = key;
        to[place] = from[i]!;
      }
      [keys, nextKeys] = [nextKeys, keys];
      [from, to] = [to, from];
    }
    if (from !== places) places.set(from.subarray(0, count));
  }
}
