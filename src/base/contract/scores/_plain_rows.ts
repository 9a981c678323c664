import type { ScoreName } from "../factor.ts";
import type { ScoreRows } from "./score_rows.ts";
import { MAX_TICKER_LENGTH } from "../identifier.ts";

/** Rows read from the text of a JSON array, and its end. */
export interface PlainRows {
  /** The rows; their order is not checked yet. */
  readonly rows: ScoreRows;
  /** Name of their score field. */
  readonly scoreName: ScoreName;
  /** Index after the closing bracket. */
  readonly end: number;
}

// Form of the first row, without ticker and score. A service writes all rows alike.
interface Template {
  readonly scoreName: ScoreName;
  readonly open: string;
  readonly middle: string;
  readonly close: string;
}

const FIRST_ROW =
  /\[([ \t\r\n]*\{[ \t\r\n]*"ticker"[ \t\r\n]*:[ \t\r\n]*")[^"]*("[ \t\r\n]*,[ \t\r\n]*"(ecpnd_score|ecqdi_score)"[ \t\r\n]*:[ \t\r\n]*)[^ \t\r\n,}]+([ \t\r\n]*\})/y;
const END = /[ \t\r\n]*\]/y;
const JSON_NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// A decimal number with this many digits is exact as an integer, and its quotient by an exact power of ten is the nearest
// double, as JSON.parse gives it.
const EXACT_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, i) => Number(`1e${i}`));
const TICKER_CHARACTERS = Uint8Array.from(
  { length: 128 },
  (_, code) => /[A-Z0-9.\-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const [QUOTE, POINT, ZERO] = [34, 46, 48];

/**
 * Reads the rows of a score set from its text without an object for each row, in a third of the time.
 *
 * @param text The whole JSON text
 * @param start Index of the opening bracket
 * @returns The rows; `null` if the text has an unexpected form, or breaks the API document
 */
export function readPlainRows(text: string, start: number): PlainRows | null {
  const template = templateOf(text, start);
  if (template === null) return null;
  const { scoreName, open, middle, close } = template;
  const tickers: string[] = [];
  const scores: (number | null)[] = [];
  const score = { value: 0 as number | null, end: 0 };
  for (let at = start + 1; text.startsWith(open, at);) {
    const from = at + open.length;
    const to = tickerEnd(text, from);
    if (to === -1 || !text.startsWith(middle, to)) return null;
    if (!readScore(text, to + middle.length, score)) return null;
    if (!text.startsWith(close, score.end)) return null;
    tickers.push(text.slice(from, to));
    scores.push(score.value);
    at = score.end + close.length;
    if (text[at] === ",") at++;
    else return endOf(text, at, { rows: { tickers, scores }, scoreName });
  }
  return null;
}

function templateOf(text: string, start: number): Template | null {
  FIRST_ROW.lastIndex = start;
  const [, open, middle, scoreName, close] = FIRST_ROW.exec(text) ?? [];
  if (open === undefined || middle === undefined || close === undefined) return null;
  return { open, middle, close, scoreName: scoreName as ScoreName };
}

function endOf(text: string, at: number, read: Omit<PlainRows, "end">): PlainRows | null {
  END.lastIndex = at;
  return END.test(text) ? { ...read, end: END.lastIndex } : null;
}

function tickerEnd(text: string, from: number): number {
  let at = from;
  while (TICKER_CHARACTERS[text.charCodeAt(at)] === 1) at++;
  const length = at - from;
  const isTicker = length > 0 && length <= MAX_TICKER_LENGTH && text.charCodeAt(at) === QUOTE;
  return isTicker ? at : -1;
}

// True if there is a score; an object for each would be as slow as the parser that this replaces.
function readScore(
  text: string,
  from: number,
  score: { value: number | null; end: number },
): boolean {
  if (text.startsWith("null", from)) {
    score.value = null;
    score.end = from + 4;
    return true;
  }
  const isFraction = text.charCodeAt(from) === ZERO && text.charCodeAt(from + 1) === POINT;
  return isFraction ? readFraction(text, from, score) : readNumber(text, from, score);
}

// 0.ddd, the form of nearly every score.
function readFraction(
  text: string,
  from: number,
  score: { value: number | null; end: number },
): boolean {
  const first = from + 2;
  let at = first;
  let digits = 0;
  for (;; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) break;
    digits = digits * 10 + digit;
  }
  const count = at - first;
  if (count === 0 || count > EXACT_DIGITS) return readNumber(text, from, score);
  score.value = digits / POWERS_OF_TEN[count]!;
  score.end = at;
  return true;
}

function readNumber(
  text: string,
  from: number,
  score: { value: number | null; end: number },
): boolean {
  JSON_NUMBER.lastIndex = from;
  if (!JSON_NUMBER.test(text)) return false;
  const value = Number(text.slice(from, JSON_NUMBER.lastIndex));
  // Adding 0 turns -0 into 0.
  score.value = value + 0;
  score.end = JSON_NUMBER.lastIndex;
  return value >= 0 && value <= 1;
}
