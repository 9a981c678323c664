/** Bytes of a file that are parsed at once. */
export const SLICE_BYTES: number = 1 << 19;

/** Free bytes before a slice, for the unfinished line of the previous one. */
export const SLICE_HEADROOM = 256;

// Words are read beyond the end of a line.
const SLICE_SLACK = 32;

/** Rows of a piece. Polars takes a fifth more for pieces of half the size; converting one blocks the event loop for some 10 ms. */
const PIECE_ROWS: number = 1 << 20;

/** Bytes of a row's date and its comma. */
export const DATE_BYTES: number = "YYYY-MM-DD,".length;

const SHORTEST_ROW = DATE_BYTES + "A,\n".length;
const SLICE_ROWS = Math.ceil((SLICE_BYTES + SLICE_HEADROOM) / SHORTEST_ROW);
const PAGE_BYTES = 1 << 16;
const FIRST_TICKERS = 4096;

/** State of the loop over rows: the expected date with its comma in the first bytes, then words, by index. */
export const LOOP_STATE = {
  /** Epoch day of the date. */
  day: 3,
  /** Number of the last row's ticker. */
  ticker: 4,
  /** Place of the next row in the piece. */
  place: 5,
  /** Number of rows without a score. */
  missing: 6,
} as const;

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

const STATE_WORDS = 8;
const SLICE_START = STATE_WORDS * Int32Array.BYTES_PER_ELEMENT + SLICE_HEADROOM;

/** A memory that the loop over rows works in: its state, a slice of the file, a piece of the columns, and the table of tickers. */
export class RowMemory {
  /** All bytes. */
  bytes!: Uint8Array<ArrayBuffer>;
  /** All bytes, as words of any alignment. */
  view!: DataView<ArrayBuffer>;
  /** Words of the state. */
  state!: Int32Array<ArrayBuffer>;
  /** Epoch days of the rows of the piece. */
  days!: Int32Array<ArrayBuffer>;
  /** Numbers of their tickers. */
  numbers!: Uint32Array<ArrayBuffer>;
  /** Their scores; NaN stands for a missing one. */
  scores!: Float64Array<ArrayBuffer>;
  /** Words of the table of tickers. */
  tickers!: Int32Array<ArrayBuffer>;
  /** Beginnings of the parts, in bytes. */
  readonly at: ReturnType<typeof placesFor>;
  /** Rows of a full piece; those of one more slice fit as well. */
  readonly pieceRows: number;
  #buffer: ArrayBuffer;
  readonly #capacity: number;

  /** @param rows Number of rows announced, or `null` */
  constructor(rows: number | null) {
    this.pieceRows = Math.min(rows ?? PIECE_ROWS, PIECE_ROWS);
    this.#capacity = this.pieceRows + SLICE_ROWS;
    this.at = placesFor(this.#capacity);
    // The system allocates this memory only when it is written to.
    this.#buffer = new ArrayBuffer(this.at.tickers + FIRST_TICKERS * TICKER_ENTRY.words * 4);
    this.#refresh();
  }

  /** Makes room for an entry in the table of tickers. */
  reserveTicker(number: number): void {
    if ((number + 1) * TICKER_ENTRY.words <= this.tickers.length) return;
    this.#buffer = this.#buffer.transfer(this.#buffer.byteLength + this.tickers.byteLength);
    this.#refresh();
  }

  /** Frees the memory. */
  free(): void {
    this.#buffer = new ArrayBuffer(0);
    this.bytes = new Uint8Array(0);
    this.view = new DataView(this.bytes.buffer);
    this.days = this.state = this.tickers = new Int32Array(0);
    this.numbers = new Uint32Array(0);
    this.scores = new Float64Array(0);
  }

  #refresh(): void {
    const buffer = this.#buffer;
    this.bytes = new Uint8Array(buffer);
    this.view = new DataView(buffer);
    this.state = new Int32Array(buffer, 0, STATE_WORDS);
    this.days = new Int32Array(buffer, this.at.days, this.#capacity);
    this.numbers = new Uint32Array(buffer, this.at.numbers, this.#capacity);
    this.scores = new Float64Array(buffer, this.at.scores, this.#capacity);
    this.tickers = new Int32Array(buffer, this.at.tickers);
  }
}

function placesFor(rows: number) {
  const days = pageAfter(SLICE_START + SLICE_BYTES + SLICE_SLACK);
  const numbers = pageAfter(days + rows * Int32Array.BYTES_PER_ELEMENT);
  const scores = pageAfter(numbers + rows * Uint32Array.BYTES_PER_ELEMENT);
  const tickers = pageAfter(scores + rows * Float64Array.BYTES_PER_ELEMENT);
  return { slice: SLICE_START, days, numbers, scores, tickers };
}

function pageAfter(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}
