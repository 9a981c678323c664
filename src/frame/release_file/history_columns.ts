import { TickerTable } from "./_ticker_table.ts";

// Four times as many as a release of ten years has.
const MAX_ROWS_AT_ONCE = 1 << 25;

/** Rows of a release file by column, with counts. */
export class HistoryColumns {
  /** Distinct tickers. */
  readonly tickers: TickerTable = new TickerTable();
  /** Epoch days. */
  days: Int32Array;
  /** Numbers of the tickers. */
  numbers: Uint32Array;
  /** Scores; NaN stands for a missing one. */
  scores: Float64Array;
  /** Number of rows, including those beyond the announced number. */
  rows = 0;
  /** Number of rows without a score. */
  missingRows = 0;
  readonly #kept: number;
  readonly #sessions = new Set<number>();

  /** @param announced Number of rows expected and kept, or `null` */
  constructor(announced: number | null) {
    this.#kept = announced ?? Infinity;
    // The system allocates this memory only when it is written to; the announced number may be wrong.
    const capacity = Math.min(announced ?? 0, MAX_ROWS_AT_ONCE);
    this.days = new Int32Array(capacity);
    this.numbers = new Uint32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  /** Epoch days of all sessions, ascending. */
  get sessions(): readonly number[] {
    return [...this.#sessions].sort((a, b) => a - b);
  }

  /** Appends a row; the score is NaN if it is missing. */
  add(day: number, number: number, score: number): void {
    const row = this.rows++;
    if (Number.isNaN(score)) this.missingRows++;
    // Writing beyond the end of a typed array has no effect: additional rows are only counted.
    this.days[row] = day;
    this.numbers[row] = number;
    this.scores[row] = score;
  }

  /** Makes room for further rows, up to the announced number. */
  reserve(rows: number): void {
    if (Math.min(this.rows + rows, this.#kept) <= this.days.length) return;
    const capacity = Math.min(Math.max(this.days.length * 2, this.rows + rows), this.#kept);
    const days = new Int32Array(capacity);
    const numbers = new Uint32Array(capacity);
    const scores = new Float64Array(capacity);
    days.set(this.days);
    numbers.set(this.numbers);
    scores.set(this.scores);
    [this.days, this.numbers, this.scores] = [days, numbers, scores];
  }

  /** Notes a session. */
  addSession(day: number): void {
    this.#sessions.add(day);
  }

  /** Cuts the columns to their length. */
  finish(): void {
    const kept = Math.min(this.rows, this.days.length);
    this.days = this.days.subarray(0, kept);
    this.numbers = this.numbers.subarray(0, kept);
    this.scores = this.scores.subarray(0, kept);
  }
}
