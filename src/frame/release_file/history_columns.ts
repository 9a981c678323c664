import { TickerTable } from "./_ticker_table.ts";

// Four times as many as a release of ten years has.
const MAX_ROWS_AT_ONCE = 1 << 25;

// Polars takes a fifth more for pieces of half the size; converting one of these blocks the event loop for some 10 ms.
const PIECE_ROWS = 1 << 20;

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
  readonly tickers: TickerTable = new TickerTable();
  /** Epoch days of the rows from {@link first}. */
  days: Int32Array<ArrayBuffer>;
  /** Numbers of their tickers. */
  numbers: Uint32Array<ArrayBuffer>;
  /** Their scores; NaN stands for a missing one. */
  scores: Float64Array<ArrayBuffer>;
  /** Row at the start of the columns: 0 unless earlier rows have been passed on. */
  first = 0;
  /** Number of rows, including those beyond the announced number. */
  rows = 0;
  /** Number of rows without a score. */
  missingRows = 0;
  readonly #kept: number;
  readonly #taker: PieceTaker | null;
  readonly #sessions = new Set<number>();

  /**
   * @param announced Number of rows expected and kept, or `null`
   * @param taker Receiver of the rows, which are then not kept, or `null` to keep all
   */
  constructor(announced: number | null, taker: PieceTaker | null = null) {
    this.#kept = announced ?? Infinity;
    this.#taker = taker;
    // The system allocates this memory only when it is written to; the announced number may be wrong.
    const capacity = taker === null ? Math.min(announced ?? 0, MAX_ROWS_AT_ONCE) : 0;
    this.days = new Int32Array(capacity);
    this.numbers = new Uint32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  /** Epoch days of all sessions, ascending. */
  get sessions(): readonly number[] {
    return [...this.#sessions].sort((a, b) => a - b);
  }

  /** Sessions and tickers of all rows that are kept or were passed on. */
  get keys(): HistoryKeys {
    return this.#taker?.keys() ?? this;
  }

  /** Appends a row; the score is NaN if it is missing. */
  add(day: number, number: number, score: number): void {
    const place = this.rows++ - this.first;
    if (Number.isNaN(score)) this.missingRows++;
    // Writing beyond the end of a typed array has no effect: additional rows are only counted.
    this.days[place] = day;
    this.numbers[place] = number;
    this.scores[place] = score;
  }

  /** Makes room for further rows, up to the announced number, and passes on those that fill a piece. */
  reserve(rows: number): void {
    if (this.#taker !== null && this.rows - this.first >= PIECE_ROWS) this.#passOn(this.#taker);
    const needed = Math.min(this.rows + rows, this.#kept) - this.first;
    if (needed <= this.days.length) return;
    const capacity = this.#taker === null
      ? Math.min(Math.max(this.days.length * 2, needed), this.#kept)
      : Math.max(PIECE_ROWS + rows, needed);
    this.days = enlarged(this.days, new Int32Array(capacity));
    this.numbers = enlarged(this.numbers, new Uint32Array(capacity));
    this.scores = enlarged(this.scores, new Float64Array(capacity));
  }

  /** Notes a session. */
  addSession(day: number): void {
    this.#sessions.add(day);
  }

  /** Cuts the columns to their length, or passes on the last rows. */
  finish(): void {
    if (this.#taker !== null) this.#passOn(this.#taker);
    const kept = Math.min(this.rows, this.#kept) - this.first;
    this.days = this.days.subarray(0, kept);
    this.numbers = this.numbers.subarray(0, kept);
    this.scores = this.scores.subarray(0, kept);
    if (kept > 0) return;
    // Garbage would stay in memory while the frame is completed.
    for (const { buffer } of [this.days, this.numbers, this.scores]) buffer.transfer(0);
  }

  #passOn(taker: PieceTaker): void {
    const end = Math.min(this.rows, this.#kept);
    const length = end - this.first;
    if (length <= 0) return;
    taker.add({
      days: this.days.subarray(0, length),
      numbers: this.numbers.subarray(0, length),
      scores: this.scores.subarray(0, length),
      names: this.tickers.names,
    });
    this.first = end;
  }
}

function enlarged<T extends Int32Array | Uint32Array | Float64Array>(old: T, wider: T): T {
  wider.set(old);
  return wider;
}
