/** Powers of ten that are exact in a Float64, by exponent. */
export const POWERS_OF_TEN: Readonly<Float64Array> = Float64Array.from(
  { length: 23 },
  (_, k) => Number(`1e${k}`),
);

// Veltkamp's constant: splits a Float64 into two halves whose products are exact.
const SPLITTER = 2 ** 27 + 1;

/**
 * Computes the Float64 nearest to `(high * 10^lowDigits + low) / 10^k`; NaN if this arithmetic cannot determine it, and the
 * text has to be parsed by `Number`.
 *
 * `high` must be exact (below 2^53), `low` below `10^lowDigits`, `lowDigits` at most 4 and `k` at most 22. The quotient is
 * corrected by its exact remainder; the result is accepted only if changing the correction by far more than its error has no
 * effect. About fifteen times as fast as `Number` on a slice of the bytes.
 *
 * @see T. J. Dekker, "A floating-point technique for extending the available precision", 1971
 */
export function divideExactly(
  digits: { readonly high: number; readonly low: number; readonly lowDigits: number },
  k: number,
): number {
  const shift = POWERS_OF_TEN[digits.lowDigits]!;
  const divisor = POWERS_OF_TEN[k]!;
  const top = digits.high * shift;
  const topError = productError(digits.high, shift, top) + digits.low;
  const quotient = top / divisor;
  const product = quotient * divisor;
  const remainder = (top - product) - productError(quotient, divisor, product) + topError;
  const correction = remainder / divisor;
  const margin = quotient * 2 ** -73;
  const result = quotient + (correction + margin);
  return result === quotient + (correction - margin) ? result : NaN;
}

// The exact difference between a * b and its rounded product.
function productError(a: number, b: number, product: number): number {
  const aWide = SPLITTER * a;
  const aHigh = aWide - (aWide - a);
  const aLow = a - aHigh;
  const bWide = SPLITTER * b;
  const bHigh = bWide - (bWide - b);
  const bLow = b - bHigh;
  return aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow);
}
