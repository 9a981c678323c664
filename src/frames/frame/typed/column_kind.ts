import type { pl } from "nodejs-polars";

/**
 * Types of nodejs-polars by kind of column.
 *
 * @internal
 */
export interface KindTypes {
  /** Text. */
  readonly text: pl.Utf8;
  /** Text as numbers of categories. */
  readonly category: pl.Categorical;
  /** Number; null if missing. */
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

/**
 * Kind of a column in a table of columns.
 *
 * @internal
 */
export type ColumnKind = keyof KindTypes;

/** Columns of a frame, in order: the single definition of names and types. */
export type ColumnTable = Readonly<Record<string, ColumnKind>>;

/** Columns of a table, for a {@link TypedFrame}. */
export type ColumnsOf<Table extends ColumnTable> = {
  -readonly [Name in keyof Table]: KindTypes[Table[Name]];
};
