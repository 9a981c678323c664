import { NEVER } from "./_ticker_table.ts";

/** A row as far as its place in the file matters. */
export interface PlacedRow {
  /** Epoch day. */
  readonly day: number;
  /** Number of its ticker. */
  readonly ticker: number;
  /** Whether the ticker occurred before. */
  readonly known: boolean;
}

/**
 * Whether the rows of a file stand in one order: by date, or by ticker and then by date.
 *
 * The API document names no order, so that both are accepted; rows that fit neither are in none.
 */
export class RowOrder {
  #byDate = true;
  #byTicker = true;
  #day = NEVER;
  #ticker = -1;

  /** Whether the rows can still be in the order of dates. */
  get isByDate(): boolean {
    return this.#byDate;
  }

  /** Notes that a known ticker followed another one in the same session: the order can only be that of dates. */
  sawSession(): void {
    this.#byTicker = false;
  }

  /** Whether a row fits what came before; one that does not is as if it had not been there. */
  takes(row: PlacedRow): boolean {
    const byDate = this.#byDate && row.day >= this.#day;
    const continues = row.ticker === this.#ticker ? row.day > this.#day : !row.known;
    const byTicker = this.#byTicker && continues;
    if (!byDate && !byTicker) return false;
    this.#byDate = byDate;
    this.#byTicker = byTicker;
    this.#day = row.day;
    this.#ticker = row.ticker;
    return true;
  }
}
