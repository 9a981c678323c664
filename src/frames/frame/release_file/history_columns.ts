import { Buffer } from "node:buffer";

/** Bytes of a file that are parsed at once. */
export const SLICE_BYTES: number = 1 << 19;

/** Free bytes before a slice, for the unfinished line of the previous one. */
export const SLICE_HEADROOM = 256;

/** Bytes of a row's date and its comma. */
export const DATE_BYTES: number = "YYYY-MM-DD,".length;

/** Words of an entry in the table of tickers, by index. */
export const TICKER_ENTRY = {
  /** First of the two words with the ticker and its comma. */
  text: 0,
  /** First of the two words with their mask. */
  mask: 2,
  /** Length of the ticker with its comma, or 0 if it is too long to be compared by words. */
  length: 4,
  /** Number of the ticker that followed in the previous session. */
  successor: 5,
  /** Epoch day of the ticker's last session. */
  lastDay: 6,
  /** Number of words. */
  words: 8,
} as const;

// Polars takes a fifth more for pieces of half the size; converting one blocks the event loop for some 10 ms.
const PIECE_ROWS = 1 << 20;
const SLICE_ROWS = Math.ceil((SLICE_BYTES + SLICE_HEADROOM) / (DATE_BYTES + "A,\n".length));
const FIRST_TICKERS = 4096;
const MAX_FAST_LENGTH = 7;

/** A day before every session. */
export const NEVER = -0x80000000;

/** Session and ticker of each row. */
export interface HistoryKeys {
  /** Epoch days. */
  readonly days: Int32Array;
  /** Numbers of the tickers. */
  readonly numbers: Uint32Array;
}

/** Consecutive rows of a release file, which are valid only during the call that passes them on. */
export interface HistoryPiece extends HistoryKeys {
  /** Scores; NaN stands for a missing one. */
  readonly scores: Float64Array;
  /** Tickers so far, by their numbers. */
  readonly names: readonly string[];
}

/** Receiver of the rows of a release file while it is parsed. */
export interface PieceTaker {
  /** Receives the next rows. */
  add(piece: HistoryPiece): void;
  /** Sessions and tickers of all rows so far. */
  keys(): HistoryKeys;
}

/**
 * Rows of a release file by column, with counts, as a piece that is passed on when it is full.
 *
 * Distinct tickers are numbered from 0, and laid out so that the expected next one is recognised by comparing two words:
 * tickers have almost the same order in each session.
 */
export class HistoryColumns {
  /** Ticker by number. */
  readonly names: string[] = [];
  /** Number of rows, including those beyond the announced number. */
  rows = 0;
  /** Number of rows without a score. */
  missingRows = 0;
  /** Epoch days of the rows of the piece; the system allocates its memory only when it is written to. */
  days: Int32Array;
  /** Numbers of their tickers. */
  numbers: Uint32Array;
  /** Their scores; NaN stands for a missing one. */
  scores: Float64Array;
  /** Words of the table of tickers. */
  table = new Int32Array(FIRST_TICKERS * TICKER_ENTRY.words);
  /** Epoch day of the last row. */
  day = 0;
  /** Number of its ticker. */
  ticker = 0;
  /** Place of the next row in the piece. */
  place = 0;
  readonly #pieceRows: number;
  readonly #kept: number;
  readonly #taker: PieceTaker;
  readonly #sessions = new Set<number>();
  readonly #numberOf = new Map<string, number>();

  /**
   * @param taker Receiver of the rows
   * @param announced Number of rows expected and passed on, or `null`
   */
  constructor(taker: PieceTaker, announced: number | null) {
    this.#taker = taker;
    this.#kept = announced ?? Infinity;
    this.#pieceRows = Math.min(this.#kept, PIECE_ROWS);
    // Those of one more slice fit as well.
    const capacity = this.#pieceRows + SLICE_ROWS;
    this.days = new Int32Array(capacity);
    this.numbers = new Uint32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  /** Epoch days of all sessions, ascending. */
  get sessions(): readonly number[] {
    return [...this.#sessions].sort((a, b) => a - b);
  }

  /** Sessions and tickers of all rows that were passed on. */
  get keys(): HistoryKeys {
    return this.#taker.keys();
  }

  /** Number of a ticker, or `undefined` if it is new. */
  find(ticker: string): number | undefined {
    return this.#numberOf.get(ticker);
  }

  /** True if the last session of a ticker is a day. */
  isLastIn(number: number, day: number): boolean {
    return this.table[number * TICKER_ENTRY.words + TICKER_ENTRY.lastDay] === day;
  }

  /** Appends a row, which the next ones are expected to follow; the score is NaN if it is missing. */
  add(day: number, ticker: string, score: number): void {
    const number = this.find(ticker) ?? this.#addTicker(ticker);
    this.table[number * TICKER_ENTRY.words + TICKER_ENTRY.lastDay] = day;
    this.table[this.ticker * TICKER_ENTRY.words + TICKER_ENTRY.successor] = number;
    this.days[this.place] = day;
    this.numbers[this.place] = number;
    this.scores[this.place] = score;
    [this.day, this.ticker] = [day, number];
    this.place++;
    this.rows++;
    if (Number.isNaN(score)) this.missingRows++;
    this.#sessions.add(day);
  }

  /** Makes room for the rows of a slice: passes on those that fill a piece. */
  reserve(): void {
    if (this.place >= this.#pieceRows) this.#passOn();
  }

  /** Passes on the last rows, and frees the memory. */
  finish(): void {
    this.#passOn();
    this.days = this.table = new Int32Array(0);
    this.numbers = new Uint32Array(0);
    this.scores = new Float64Array(0);
  }

  #addTicker(ticker: string): number {
    const number = this.names.push(ticker) - 1;
    this.#numberOf.set(ticker, number);
    const entry = number * TICKER_ENTRY.words;
    if (entry === this.table.length) {
      const wider = new Int32Array(2 * entry);
      wider.set(this.table);
      this.table = wider;
    }
    this.table[entry + TICKER_ENTRY.lastDay] = NEVER;
    if (ticker.length > MAX_FAST_LENGTH) return number;
    const text = Buffer.from(`${ticker},`, "latin1");
    const bytes = new Uint8Array(this.table.buffer, entry * Int32Array.BYTES_PER_ELEMENT);
    bytes.set(text, TICKER_ENTRY.text * Int32Array.BYTES_PER_ELEMENT);
    bytes.subarray(TICKER_ENTRY.mask * Int32Array.BYTES_PER_ELEMENT).fill(0xff, 0, text.length);
    this.table[entry + TICKER_ENTRY.length] = text.length;
    return number;
  }

  #passOn(): void {
    const length = Math.min(this.place, this.#kept - (this.rows - this.place));
    this.place = 0;
    if (length <= 0) return;
    this.#taker.add({
      days: this.days.subarray(0, length),
      numbers: this.numbers.subarray(0, length),
      scores: this.scores.subarray(0, length),
      names: this.names,
    });
  }
}
