import { Buffer } from "node:buffer";
import { type RowMemory, TICKER_ENTRY } from "./row_memory.ts";

const MAX_FAST_LENGTH = 7;

/**
 * Distinct tickers of a file, numbered from 0, laid out so that the expected next ticker is recognised by comparing two words:
 * tickers have almost the same order in each session.
 */
export class TickerTable {
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

/** A day before every session. */
export const NEVER = -0x80000000;
