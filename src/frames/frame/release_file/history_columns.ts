import { Buffer } from "node:buffer";
import { LOOP_STATE, type RowMemory, TICKER_ENTRY } from "./row_memory.ts";

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

/** Rows of a release file by column, with counts. */
export class HistoryColumns {
  /** Distinct tickers. */
  readonly tickers: TickerTable;
  /** Number of rows, including those beyond the announced number. */
  rows = 0;
  /** Number of rows without a score. */
  missingRows = 0;
  readonly #memory: RowMemory;
  readonly #kept: number;
  readonly #taker: PieceTaker;
  readonly #sessions = new Set<number>();
  // Row at the start of the piece.
  #first = 0;

  /**
   * @param memory Memory with the rows of the present piece
   * @param taker Receiver of the rows
   * @param announced Number of rows expected and passed on, or `null`
   */
  constructor(memory: RowMemory, taker: PieceTaker, announced: number | null) {
    this.tickers = new TickerTable(memory);
    this.#memory = memory;
    this.#taker = taker;
    this.#kept = announced ?? Infinity;
  }

  /** Epoch days of all sessions, ascending. */
  get sessions(): readonly number[] {
    return [...this.#sessions].sort((a, b) => a - b);
  }

  /** Sessions and tickers of all rows that were passed on. */
  get keys(): HistoryKeys {
    return this.#taker.keys();
  }

  /** Appends a row; the score is NaN if it is missing. */
  add(day: number, number: number, score: number): void {
    const { days, numbers, scores, state } = this.#memory;
    const place = state[LOOP_STATE.place]!;
    days[place] = day;
    numbers[place] = number;
    scores[place] = score;
    state[LOOP_STATE.place] = place + 1;
    this.rows++;
    if (Number.isNaN(score)) this.missingRows++;
  }

  /** Counts the rows that the loop has read; returns their number. */
  count(): number {
    const { state } = this.#memory;
    const read = this.#first + state[LOOP_STATE.place]! - this.rows;
    this.rows += read;
    this.missingRows += state[LOOP_STATE.missing]!;
    return read;
  }

  /** Makes room for the rows of a slice: passes on those that fill a piece. */
  reserve(): void {
    if (this.rows - this.#first >= this.#memory.pieceRows) this.#passOn();
  }

  /** Notes a session. */
  addSession(day: number): void {
    this.#sessions.add(day);
  }

  /** Passes on the last rows. */
  finish(): void {
    this.#passOn();
  }

  #passOn(): void {
    const { days, numbers, scores, state } = this.#memory;
    const length = Math.min(this.rows, this.#kept) - this.#first;
    this.#first = this.rows;
    state[LOOP_STATE.place] = 0;
    if (length <= 0) return;
    this.#taker.add({
      days: days.subarray(0, length),
      numbers: numbers.subarray(0, length),
      scores: scores.subarray(0, length),
      names: this.tickers.names,
    });
  }
}

/**
 * Distinct tickers of a file, numbered from 0, laid out so that the expected next ticker is recognised by comparing two words:
 * tickers have almost the same order in each session.
 */
class TickerTable {
  /** Ticker by number. */
  readonly names: string[] = [];
  readonly #memory: RowMemory;
  readonly #numbers = new Map<string, number>();

  /** @param memory Memory with the entries */
  constructor(memory: RowMemory) {
    this.#memory = memory;
  }

  /** Number of a ticker, or `undefined` if it is new. */
  find(ticker: string): number | undefined {
    return this.#numbers.get(ticker);
  }

  /** Gives a new ticker its number. */
  add(ticker: string): number {
    const number = this.names.length;
    this.names.push(ticker);
    this.#numbers.set(ticker, number);
    this.#memory.reserveTicker(number);
    const { tickers: words } = this.#memory;
    const entry = number * TICKER_ENTRY.words;
    words[entry + TICKER_ENTRY.lastDay] = NEVER;
    if (ticker.length > MAX_FAST_LENGTH) return number;
    const text = Buffer.from(`${ticker},`, "latin1");
    bytesOf(words, entry + TICKER_ENTRY.text).set(text);
    bytesOf(words, entry + TICKER_ENTRY.mask).fill(0xff, 0, text.length);
    words[entry + TICKER_ENTRY.length] = ticker.length + 1;
    return number;
  }

  /** True if the last session of a ticker is a day. */
  isLastIn(number: number, day: number): boolean {
    return this.#memory.tickers[number * TICKER_ENTRY.words + TICKER_ENTRY.lastDay] === day;
  }

  /** Notes that a ticker followed another one in a session. */
  note(number: number, { after, day }: { readonly after: number; readonly day: number }): void {
    const { tickers: words } = this.#memory;
    words[number * TICKER_ENTRY.words + TICKER_ENTRY.lastDay] = day;
    words[after * TICKER_ENTRY.words + TICKER_ENTRY.successor] = number;
  }
}

// The eight bytes of two words.
function bytesOf({ buffer, byteOffset }: Int32Array, word: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + word * Int32Array.BYTES_PER_ELEMENT, 8);
}
