import type { DataFrame } from "nodejs-polars";

/** Names of the columns in the source. */
export interface PriceNames {
  /** Column of the date. */
  readonly date: string;
  /** Column of the ticker. */
  readonly ticker: string;
  /** Column of the close. */
  readonly close: string;
}

/** Options of reading a source. */
export interface SourceOptions {
  /** Names of the columns; defaults apply to those not given. */
  readonly names: Partial<PriceNames>;
  /** Separator of a CSV. */
  readonly separator: string;
  /** One row per date and ticker, or one column per ticker. */
  readonly layout: "long" | "wide";
  /** Largest inflated size of a compressed file in bytes. */
  readonly maxInflatedBytes: number;
}

/** The three columns as read, and a title for messages. */
export interface PriceSource {
  /** The columns, renamed to `date`, `ticker` and `close`. */
  readonly frame: DataFrame;
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
}
