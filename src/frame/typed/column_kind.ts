import type { pl } from "nodejs-polars";

/** Types of nodejs-polars that the kinds of columns have. */
export interface KindTypes {
  /** Text. */
  readonly text: pl.Utf8;
  /** Text as numbers of categories. */
  readonly category: pl.Categorical;
  /** Number; null where there is none. */
  readonly number: pl.Float64;
  /** Whole number. */
  readonly count: pl.Int32;
  /** Calendar date. */
  readonly date: pl.Date;
  /** Instant in milliseconds, UTC. */
  readonly instant: pl.Datetime;
  /** True or false. */
  readonly flag: pl.Bool;
}

/** Kind of a column in a table of columns. */
export type ColumnKind = keyof KindTypes;

/** Columns that a frame is made of, in order: the one place that states names and types. */
export type ColumnTable = Readonly<Record<string, ColumnKind>>;

/** The columns of a table, as a {@link TypedFrame} knows them. */
export type ColumnsOf<Table extends ColumnTable> = {
  -readonly [Name in keyof Table]: KindTypes[Table[Name]];
};
