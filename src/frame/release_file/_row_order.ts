import { NEVER } from "./_ticker_table.ts";

/** A row as far as its place in the file matters. */
export interface PlacedRow {
  /** Epoch day. */
  readonly day: number;
  /** Number of its ticker. */
  readonly ticker: number;
  /** True if the ticker occurred before. */
  readonly known: boolean;
}

/** The order of the rows of a file. */
export type RowOrderName = "by date" | "by date, descending" | "by ticker" | "in no order";

/** Order of the rows of a file. The API document names none (section 2.6), so that each is accepted. */
export class RowOrder {
  #isAscending = true;
  #isDescending = true;
  #isByTicker = true;
  #day = NEVER;
  #ticker = -1;

  /** True if each session still stands in one piece. */
  get isByDate(): boolean {
    return this.#isAscending || this.#isDescending;
  }

  /** The order; if the rows keep several, the first of the names. */
  get name(): RowOrderName {
    if (this.#isAscending) return "by date";
    if (this.#isDescending) return "by date, descending";
    return this.#isByTicker ? "by ticker" : "in no order";
  }

  /** Notes that a known ticker followed another one in the same session: the order can only be that of dates. */
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
