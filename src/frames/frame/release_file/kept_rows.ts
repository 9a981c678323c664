import type { HistoryKeys, HistoryPiece, PieceTaker } from "./history_columns.ts";

// Four times as many as a release of ten years has.
const MAX_ROWS_AT_ONCE = 1 << 25;

/** All rows of a release file, kept by column. */
export class KeptRows implements PieceTaker {
  #days: Int32Array<ArrayBuffer>;
  #numbers: Uint32Array<ArrayBuffer>;
  #scores: Float64Array<ArrayBuffer>;
  #rows = 0;

  /** @param announced Number of rows announced, or `null` */
  constructor(announced: number | null) {
    // The system allocates this memory only when it is written to; the announced number may be wrong.
    const capacity = Math.min(announced ?? 0, MAX_ROWS_AT_ONCE);
    this.#days = new Int32Array(capacity);
    this.#numbers = new Uint32Array(capacity);
    this.#scores = new Float64Array(capacity);
  }

  /** Scores of all rows so far; NaN stands for a missing one. */
  get scores(): Float64Array {
    return this.#scores.subarray(0, this.#rows);
  }

  /** Copies rows. */
  add({ days, numbers, scores }: HistoryPiece): void {
    const rows = this.#rows + days.length;
    if (rows > this.#days.length) this.#grow(Math.max(rows, this.#days.length * 2));
    this.#days.set(days, this.#rows);
    this.#numbers.set(numbers, this.#rows);
    this.#scores.set(scores, this.#rows);
    this.#rows = rows;
  }

  /** Sessions and tickers of all rows so far. */
  keys(): HistoryKeys {
    return {
      days: this.#days.subarray(0, this.#rows),
      numbers: this.#numbers.subarray(0, this.#rows),
    };
  }

  #grow(capacity: number): void {
    this.#days = enlarged(this.#days, new Int32Array(capacity));
    this.#numbers = enlarged(this.#numbers, new Uint32Array(capacity));
    this.#scores = enlarged(this.#scores, new Float64Array(capacity));
  }
}

function enlarged<T extends Int32Array | Uint32Array | Float64Array>(old: T, wider: T): T {
  wider.set(old);
  return wider;
}
