import type { HistoryKeys, HistoryPiece, PieceTaker } from "./history_columns.ts";

/** All rows of a release file, kept by column. */
export class KeptRows implements PieceTaker {
  readonly #days: Int32Array[] = [];
  readonly #numbers: Uint32Array[] = [];
  readonly #scores: Float64Array[] = [];

  /** Scores of all rows so far; NaN stands for a missing one. */
  get scores(): Float64Array {
    return joined(this.#scores, (length) => new Float64Array(length));
  }

  /** Copies rows. */
  add({ days, numbers, scores }: HistoryPiece): void {
    this.#days.push(days.slice());
    this.#numbers.push(numbers.slice());
    this.#scores.push(scores.slice());
  }

  /** Sessions and tickers of all rows so far. */
  keys(): HistoryKeys {
    return {
      days: joined(this.#days, (length) => new Int32Array(length)),
      numbers: joined(this.#numbers, (length) => new Uint32Array(length)),
    };
  }
}

function joined<Values extends Int32Array | Uint32Array | Float64Array>(
  pieces: readonly Values[],
  make: (length: number) => Values,
): Values {
  const all = make(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    all.set(piece, place);
    place += piece.length;
  }
  return all;
}
