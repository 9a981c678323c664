// The loop over rows in AssemblyScript, for files large enough to be worth it: `_script_loop.ts` is the same in TypeScript, and
// defines it. `deno task generate rowloop` writes `_row_loop_code.ts` from this file. Offsets are those of `row_memory.ts`.

// LOOP_STATE, in bytes: the expected date with its comma, then words.
const DAY: usize = 12;
const TICKER: usize = 16;
const PLACE: usize = 20;
const MISSING: usize = 24;

// TICKER_ENTRY, in bytes.
const ENTRY_SHIFT: usize = 5;
const TEXT: usize = 0;
const MASK: usize = 8;
const LENGTH: usize = 16;
const SUCCESSOR: usize = 20;
const LAST_DAY: usize = 24;

const NEWLINE: u32 = 10;
const POINT_ZERO: u32 = 0x2e30;
const LINE_END_ZERO: u32 = 0x0a30;
const LINE_END_ONE: u32 = 0x0a31;
const MAX_EXACT_DIGITS = 15;
const MAX_DIGITS = 19;
const OTHER_FORM: f64 = -1;
const SPLITTER: f64 = 134217729;

const POWERS: StaticArray<f64> = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
];
const WHOLE_POWERS: StaticArray<u64> = [1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000];

// End of the last score that was read.
let scoreEnd: usize = 0;

export function readRows(
  start: usize,
  end: usize,
  days: usize,
  numbers: usize,
  scores: usize,
  tickers: usize,
): usize {
  const date = load<u64>(0);
  const dateEnd = load<u32>(7);
  const day = load<i32>(DAY);
  let ticker = load<u32>(TICKER);
  let place = load<u32>(PLACE) as usize;
  let missing = 0;
  let line = start;
  while (line < end && load<u64>(line) == date && load<u32>(line, 7) == dateEnd) {
    const expected = load<u32>(tickers + ((ticker as usize) << ENTRY_SHIFT), SUCCESSOR);
    const entry = tickers + ((expected as usize) << ENTRY_SHIFT);
    const text = line + 11;
    const length = load<u32>(entry, LENGTH);
    if ((load<u64>(text) & load<u64>(entry, MASK)) != load<u64>(entry, TEXT)) break;
    if (length == 0 || load<i32>(entry, LAST_DAY) == day) break;
    const score = readScore(text + length);
    if (score == OTHER_FORM) break;
    if (score != score) missing++;
    store<i32>(entry, day, LAST_DAY);
    store<i32>(days + (place << 2), day);
    store<u32>(numbers + (place << 2), expected);
    store<f64>(scores + (place << 3), score);
    place++;
    ticker = expected;
    line = scoreEnd;
  }
  store<u32>(TICKER, ticker);
  store<u32>(PLACE, place as u32);
  store<i32>(MISSING, missing);
  return line;
}

@inline
function readScore(start: usize): f64 {
  const beginning = load<u16>(start) as u32;
  if ((beginning & 0xff) == NEWLINE) {
    scoreEnd = start + 1;
    return NaN;
  }
  if (beginning != POINT_ZERO) {
    scoreEnd = start + 2;
    return beginning == LINE_END_ZERO ? 0 : beginning == LINE_END_ONE ? 1 : OTHER_FORM;
  }
  const first = start + 2;
  const word = load<u64>(first);
  const digits = countDigits(word);
  if (digits == 0) return OTHER_FORM;
  if (digits < 8) {
    const end = first + (digits as usize);
    if (load<u8>(end) != NEWLINE) return OTHER_FORM;
    scoreEnd = end + 1;
    return (valueOf(word, digits) as f64) / power(digits);
  }
  return readLongScore(first, valueOf(word, 8));
}

function readLongScore(first: usize, begun: u64): f64 {
  const word = load<u64>(first, 8);
  const more = countDigits(word);
  let digits = 8 + more;
  let value = begun * unchecked(WHOLE_POWERS[more]) + (more == 0 ? 0 : valueOf(word, more));
  let end = first + (digits as usize);
  let digit = (load<u8>(end) as u32) - 48;
  while (digit <= 9 && digits < MAX_DIGITS) {
    value = value * 10 + digit;
    digits++;
    end++;
    digit = (load<u8>(end) as u32) - 48;
  }
  if (load<u8>(end) != NEWLINE) return OTHER_FORM;
  scoreEnd = end + 1;
  if (digits <= MAX_EXACT_DIGITS) return (value as f64) / power(digits);
  const lowDigits = digits - MAX_EXACT_DIGITS;
  const shift = unchecked(WHOLE_POWERS[lowDigits]);
  return divideExactly((value / shift) as f64, (value % shift) as f64, lowDigits, digits);
}

@inline
function power(digits: i32): f64 {
  return unchecked(POWERS[digits]);
}

// Digits at the start of eight characters.
@inline
function countDigits(word: u64): i32 {
  const others = ((word + 0x4646464646464646) | (word - 0x3030303030303030) | word) & 0x8080808080808080;
  return others == 0 ? 8 : (ctz(others) >> 3) as i32;
}

// Pairs of digits, then pairs of pairs, then both halves. Fewer than eight digits are moved behind zeros.
@inline
function valueOf(word: u64, digits: i32): u64 {
  const moved = (word & 0x0f0f0f0f0f0f0f0f) << ((64 - (digits << 3)) as u64);
  const pairs = ((moved * 2561) >> 8) & 0x00ff00ff00ff00ff;
  const fours = ((pairs * 6553601) >> 16) & 0x0000ffff0000ffff;
  return (fours * 42949672960001) >> 32;
}

// As in `_script_loop.ts`.
function divideExactly(high: f64, low: f64, lowDigits: i32, digits: i32): f64 {
  const shift = power(lowDigits);
  const divisor = power(digits);
  const top = high * shift;
  const topError = productError(high, shift, top) + low;
  const quotient = top / divisor;
  const product = quotient * divisor;
  const remainder = top - product - productError(quotient, divisor, product) + topError;
  const correction = remainder / divisor;
  const margin = quotient * 1.0587911840678754e-22;
  const result = quotient + (correction + margin);
  return result == quotient + (correction - margin) ? result : OTHER_FORM;
}

function productError(a: f64, b: f64, product: f64): f64 {
  const aWide = SPLITTER * a;
  const aHigh = aWide - (aWide - a);
  const aLow = a - aHigh;
  const bWide = SPLITTER * b;
  const bHigh = bWide - (bWide - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
