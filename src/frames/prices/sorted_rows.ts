import pl, { type DataFrame } from "nodejs-polars";

/** Rows by ticker and date, as arrays. */
export interface SortedRows {
  /** The rows as a frame. */
  readonly frame: DataFrame;
  /** The tickers, in the order of their code units. */
  readonly names: readonly string[];
  /** Ticker of each row, as its place among the names. */
  readonly tickers: Uint32Array;
  /** Date of each row, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** A column of numbers; NaN if missing, in every row of a column that is not there. */
  numbers(name: string): Float64Array;
}

/** Sorts rows of `date`, `ticker` and numbers. */
export function sortRows(frame: DataFrame): SortedRows {
  const names = (frame.getColumn("ticker").unique().toArray() as string[])
    .sort((a, b) => a < b ? -1 : 1);
  const codes = pl.DataFrame([
    pl.Series("ticker", names, pl.Utf8),
    pl.Series("\u0000code", Uint32Array.from(names.keys())),
  ]);
  const sorted = frame.join(codes, { on: "ticker", how: "left" }).sort(["\u0000code", "date"]);
  return {
    frame: sorted.drop("\u0000code"),
    names,
    tickers: sorted.getColumn("\u0000code").toTypedArray() as unknown as Uint32Array,
    days: sorted.getColumn("date").cast(pl.Int32).toTypedArray() as unknown as Int32Array,
    numbers: (name) => {
      if (!sorted.columns.includes(name)) return new Float64Array(sorted.height).fill(NaN);
      const column = sorted.select(pl.col(name).fillNull(pl.lit(NaN))).getColumn(name);
      return column.toTypedArray() as unknown as Float64Array;
    },
  };
}
