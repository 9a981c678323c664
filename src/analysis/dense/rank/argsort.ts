const DIGIT_BITS = 10;
const DIGIT_MASK = (1 << DIGIT_BITS) - 1;
const LAST_BIN = (1 << (2 * DIGIT_BITS)) - 1;
const SMALL = 40;

/** Values to sort by. */
export interface PlacedValues {
  /** The values. */
  readonly values: Float64Array;
  /** Index of the first one. */
  readonly base: number;
}

/**
 * Sorts indices of an array by their values, ascending; equal values keep the order of their indices.
 *
 * The range of the values is divided into a million bins of equal width, which two counting passes sort; an insertion sort
 * puts the few values within a bin in order. If an outlier leaves one bin for all others, a comparison sort follows.
 * Values must be neither NaN nor -0.
 */
export class Argsort {
  readonly #bins: Int32Array;
  readonly #half: Int32Array;
  readonly #sorted: Int32Array;
  readonly #low = new Int32Array(DIGIT_MASK + 1);
  readonly #high = new Int32Array(DIGIT_MASK + 1);

  /** @param capacity Maximum number of indices to sort at once */
  constructor(capacity: number) {
    this.#bins = new Int32Array(capacity);
    this.#half = new Int32Array(capacity);
    this.#sorted = new Int32Array(capacity);
  }

  /**
   * Sorts the first `count` places.
   *
   * @param places Indices into the values from `base` on; sorted in place
   */
  sort(places: Int32Array, count: number, of: PlacedValues): void {
    if (count > SMALL) this.#sortBins(places, count, of);
    if (repair(places, count, of)) return;
    const { values, base } = of;
    places.subarray(0, count).sort((a, b) => values[base + a]! - values[base + b]! || a - b);
  }
  #sortBins(places: Int32Array, count: number, of: PlacedValues): void {
    const [bins, half, sorted] = [this.#bins, this.#half, this.#sorted];
    const [low, high] = [this.#low.fill(0), this.#high.fill(0)];
    fillBins(bins, { places, count, of });
    for (let i = 0; i < count; i++) {
      const bin = bins[i]!;
      low[bin & DIGIT_MASK]!++;
      high[bin >> DIGIT_BITS]!++;
    }
    for (let digit = 0, lows = 0, highs = 0; digit <= DIGIT_MASK; digit++) {
      const [ofLow, ofHigh] = [low[digit]!, high[digit]!];
      low[digit] = lows;
      high[digit] = highs;
      lows += ofLow;
      highs += ofHigh;
    }
    for (let i = 0; i < count; i++) half[low[bins[i]! & DIGIT_MASK]!++] = i;
    for (let j = 0; j < count; j++) {
      const i = half[j]!;
      sorted[high[bins[i]! >> DIGIT_BITS]!++] = places[i]!;
    }
    for (let i = 0; i < count; i++) places[i] = sorted[i]!;
  }
}

interface Placed {
  readonly places: Int32Array;
  readonly count: number;
  readonly of: PlacedValues;
}

function fillBins(bins: Int32Array, { places, count, of: { values, base } }: Placed): void {
  let min = values[base + places[0]!]!;
  let max = min;
  for (let i = 1; i < count; i++) {
    const value = values[base + places[i]!]!;
    min = value < min ? value : min;
    max = value > max ? value : max;
  }
  // Rounding keeps the order. A range of 0 or infinity gives one bin.
  const scale = LAST_BIN / (max - min);
  for (let i = 0; i < count; i++) bins[i] = (values[base + places[i]!]! - min) * scale | 0;
}

/** Insertion sort, linear for nearly sorted values; stops early and returns false for others. */
function repair(places: Int32Array, count: number, { values, base }: PlacedValues): boolean {
  if (count === 0) return true;
  const limit = 8 * count + SMALL * SMALL;
  let moves = 0;
  let before = values[base + places[0]!]!;
  for (let i = 1; i < count; i++) {
    const place = places[i]!;
    const value = values[base + place]!;
    if (value >= before) {
      before = value;
      continue;
    }
    let j = i - 1;
    do {
      places[j + 1] = places[j]!;
      j--;
    } while (j >= 0 && values[base + places[j]!]! > value);
    places[j + 1] = place;
    moves += i - 1 - j;
    if (moves > limit) return false;
  }
  return true;
}
