import { NEVER } from "./_ticker_table.ts";

/** A row, for the order of the file. */
export interface PlacedRow {
  /** Epoch day. */
  readonly day: number;
  /** Number of its ticker. */
  readonly ticker: number;
  /** True if the ticker occurred before. */
  readonly known: boolean;
}

/** Order of the rows of a file. */
export type RowOrderName = "by date" | "by date, descending" | "by ticker" | "in no order";

/** Order of the rows of a file. The API document specifies none (section 2.6), so any is accepted. */
export class RowOrder {
  #isAscending = true;
  #isDescending = true;
  #isByTicker = true;
  #day = NEVER;
  #ticker = -1;

  /** True if the rows of each session are still contiguous. */
  get isByDate(): boolean {
    return this.#isAscending || this.#isDescending;
  }

  /** The order; the first matching name if there are several. */
  get name(): RowOrderName {
    if (this.#isAscending) return "by date";
    if (this.#isDescending) return "by date, descending";
    return this.#isByTicker ? "by ticker" : "in no order";
  }

  /** Notes that a known ticker followed another one in the same session, so that the order can only be by date. */
  sawSession(): void {
    this.#isByTicker = false;
  }

  /** Notes the next row. */
  see(row: PlacedRow): void {
    const isFirst = this.#ticker === -1;
    const continues = row.ticker === this.#ticker ? row.day > this.#day : !row.known;
    this.#isAscending &&= isFirst || row.day >= this.#day;
    this.#isDescending &&= isFirst || row.day <= this.#day;
    this.#isByTicker &&= continues;
    this.#day = row.day;
    this.#ticker = row.ticker;
  }
}
