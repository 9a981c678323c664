import { DATE_BYTES, type HistoryColumns, TICKER_ENTRY } from "./history_columns.ts";

const WORD = 4;
// The third word of the date and its comma begins at their last four bytes.
const LAST_WORD = DATE_BYTES - WORD;

/** Powers of ten that are exact in a Float64, by exponent. */
const POWERS_OF_TEN: Readonly<Float64Array> = Float64Array.from(
  { length: 23 },
  (_, k) => Number(`1e${k}`),
);

// Veltkamp's constant: splits a Float64 into two halves whose products are exact.
const SPLITTER = 2 ** 27 + 1;

/** Result of {@link readScore} for text of another form. */
const OTHER_FORM = -1;

const NEWLINE = 10;
const ZERO = 48;
// Two characters as a little-endian word: the first is the low byte.
const POINT_ZERO = 0x2e30;
const LINE_END_ZERO = 0x0a30;
const LINE_END_ONE = 0x0a31;
const MAX_INT_DIGITS = 9;
const MAX_EXACT_DIGITS = 15;
const MAX_DIGITS = 19;

/**
 * Reads rows from `line` to `end` as long as each continues the session, whose date and comma stand in the first bytes, with the
 * expected ticker and a plain score, and returns the position of the first line that does not.
 */
export function runRowLoop(
  bytes: Uint8Array<ArrayBuffer>,
  columns: HistoryColumns,
  [line, end]: readonly [line: number, end: number],
): number {
  const { day, days, numbers, scores, table } = columns;
  const view = new DataView(bytes.buffer);
  const cursor: ScoreCursor = { position: line };
  const date0 = view.getInt32(0, true);
  const date1 = view.getInt32(WORD, true);
  const date2 = view.getInt32(LAST_WORD, true);
  // All state is in local variables: this loop runs for nearly every row.
  let { ticker, place } = columns;
  let [missing, position] = [0, line];
  while (
    position < end && view.getInt32(position, true) === date0 &&
    view.getInt32(position + WORD, true) === date1 &&
    view.getInt32(position + LAST_WORD, true) === date2
  ) {
    const expected = table[ticker * TICKER_ENTRY.words + TICKER_ENTRY.successor]!;
    const entry = expected * TICKER_ENTRY.words;
    const text = position + DATE_BYTES;
    const length = table[entry + TICKER_ENTRY.length]!;
    const isAgain = table[entry + TICKER_ENTRY.lastDay] === day;
    if (length === 0 || isAgain || !isTickerAt(view, text, table, entry)) break;
    const score = readScore(bytes, view, text + length, cursor);
    if (score < 0) break;
    if (score !== score) missing++;
    table[entry + TICKER_ENTRY.lastDay] = day;
    days[place] = day;
    numbers[place] = expected;
    scores[place++] = score;
    ticker = expected;
    position = cursor.position;
  }
  columns.rows += place - columns.place;
  columns.missingRows += missing;
  [columns.ticker, columns.place] = [ticker, place];
  return position;
}

function isTickerAt(view: DataView, at: number, tickers: Int32Array, entry: number): boolean {
  const [text, mask] = [entry + TICKER_ENTRY.text, entry + TICKER_ENTRY.mask];
  return (view.getInt32(at, true) & tickers[mask]!) === tickers[text] &&
    (view.getInt32(at + WORD, true) & tickers[mask + 1]!) === tickers[text + 1];
}

/** End of reading: the position after the line end. */
interface ScoreCursor {
  /** Position in the buffer. */
  position: number;
}

/**
 * Reads a score of the form `0.digits`, `0` or `1`, or an empty one, up to and including the line end.
 *
 * The result is the Float64 that `Number` gives for the text: up to 15 digits are an exact integer divided by an
 * exact power of ten, which is rounded once.
 *
 * @returns The score, NaN if it is missing, or {@link OTHER_FORM}
 */
function readScore(bytes: Uint8Array, view: DataView, start: number, cursor: ScoreCursor): number {
  if (bytes[start] === NEWLINE) {
    cursor.position = start + 1;
    return NaN;
  }
  const beginning = view.getUint16(start, true);
  if (beginning !== POINT_ZERO) return readWholeScore(beginning, start, cursor);
  const first = start + 2;
  let position = first;
  let value = 0;
  const word = view.getInt32(position, true);
  if ((((word + 0x46464646) | (word - 0x30303030)) & 0x80808080) === 0) {
    value = fourDigits(word);
    position += 4;
  }
  let digit = bytes[position]! - ZERO;
  const last = first + MAX_INT_DIGITS;
  while (digit >= 0 && digit <= 9 && position < last) {
    value = (value * 10 + digit) | 0;
    digit = bytes[++position]! - ZERO;
  }
  if (position === first) return OTHER_FORM;
  if (digit >= 0 && digit <= 9) return readLongScore(bytes, { first, position, value }, cursor);
  if (digit !== NEWLINE - ZERO) return OTHER_FORM;
  cursor.position = position + 1;
  return value / POWERS_OF_TEN[position - first]!;
}

// The two scores that need no decimals.
function readWholeScore(beginning: number, start: number, cursor: ScoreCursor): number {
  cursor.position = start + 2;
  if (beginning === LINE_END_ZERO) return 0;
  return beginning === LINE_END_ONE ? 1 : OTHER_FORM;
}

// Four decimal digits at once: pairs of bytes, then pairs of pairs.
function fourDigits(word: number): number {
  const digits = word & 0x0f0f0f0f;
  const pairs = (Math.imul(digits, 2561) >>> 8) & 0x00ff00ff;
  return Math.imul(pairs, 6553601) >>> 16;
}

function readLongScore(
  bytes: Uint8Array,
  begun: { readonly first: number; readonly position: number; readonly value: number },
  cursor: ScoreCursor,
): number {
  let { position, value: high } = begun;
  let low = 0;
  let digit = bytes[position]! - ZERO;
  const exactEnd = begun.first + MAX_EXACT_DIGITS;
  const end = begun.first + MAX_DIGITS;
  while (digit >= 0 && digit <= 9 && position < end) {
    if (position < exactEnd) high = high * 10 + digit;
    else low = low * 10 + digit;
    digit = bytes[++position]! - ZERO;
  }
  if (digit !== NEWLINE - ZERO) return OTHER_FORM;
  const digits = position - begun.first;
  const lowDigits = Math.max(0, digits - MAX_EXACT_DIGITS);
  cursor.position = position + 1;
  if (lowDigits === 0) return high / POWERS_OF_TEN[digits]!;
  const score = divideExactly({ high, low, lowDigits }, digits);
  return Number.isNaN(score) ? OTHER_FORM : score;
}

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
function divideExactly(
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
