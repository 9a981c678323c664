const DIGITS = 12;

/** Sessions of a quarter: the longest lag and age, and the length of a rolling mean. */
export const SESSIONS_OF_QUARTER = 63;

/** A p value below it counts as evidence: chance alone gives one in twenty. */
export const LEVEL = 0.05;

/** The upper end of a two-sided interval that leaves {@link LEVEL} outside, as a probability. */
export const UPPER_END = 0.975;

// One rule for all: NaN among the values gives NaN, and so do no values; callers drop unknown values first.

/** Mean of values; NaN if there are none. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** The values less their mean. */
export function demean(values: ArrayLike<number>): Float64Array {
  const mean = meanOf(values);
  const rest = new Float64Array(values);
  for (let i = 0; i < rest.length; i++) rest[i] = rest[i]! - mean;
  return rest;
}

/** Standard deviation with n − 1; `null` for fewer than two values. */
export function deviationOf(values: ArrayLike<number>): number | null {
  if (values.length < 2) return null;
  if (isConstant(values)) return 0;
  return Math.sqrt(sumOfSquares(demean(values)) / (values.length - 1));
}

/** Sum of the squares. */
export function sumOfSquares(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! ** 2;
  return sum;
}

/** Sum of the products of two lists that are equally long. */
export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

// Returns of equal growth differ by some 1e-14 of their size, values that mean something by far more.
const ROUNDING = 1e-10;

/** True if all values are equal up to rounding, where their deviation from the mean would be a tiny number. */
export function isConstant(values: ArrayLike<number>): boolean {
  if (values.length === 0) return true;
  let [low, high] = [values[0]!, values[0]!];
  for (let i = 1; i < values.length; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return high - low <= ROUNDING * Math.max(Math.abs(low), Math.abs(high));
}

/** The middle value; the mean of the two middle ones if their number is even, NaN if there are none. */
export function medianOf(values: ArrayLike<number>): number {
  const sorted = new Float64Array(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Quantile of sorted values by linear interpolation between neighbours. */
export function quantileOfSorted(sorted: ArrayLike<number>, probability: number): number {
  const position = probability * (sorted.length - 1);
  const below = Math.floor(position);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below]! + (position - below) * (sorted[above]! - sorted[below]!);
}

/**
 * A function that rounds to 12 digits of the largest value that went into a result, so that what is equal but for the rounding of a sum stays tied,
 * whatever the unit; 0 for −0.
 *
 * @param largest Its absolute value; NaN counts as none
 */
export function keepTies(largest: number): (value: number) => number {
  if (!(largest > 0)) return (value) => value + 0;
  const digits = DIGITS - Math.ceil(Math.log10(largest));
  const scale = 10 ** Math.abs(digits);
  return digits < 0
    ? (value) => Math.round(value / scale) * scale + 0
    : (value) => Math.round(value * scale) / scale + 0;
}

/** The largest absolute value; 0 without any, and NaN counts as none. */
export function largestOf(values: Iterable<number>): number {
  let largest = 0;
  for (const value of values) if (Math.abs(value) > largest) largest = Math.abs(value);
  return largest;
}
