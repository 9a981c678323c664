import type { DataType, pl } from "nodejs-polars";

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

/**
 * Run-time type of the values of a column: null for a missing one, a JavaScript `Date` for a date or an instant. Unknown where
 * nodejs-polars has several forms, as for lists and 64-bit integers.
 *
 * @internal
 */
export type ValueOf<Type> = Type extends
  pl.Float64 | pl.Float32 | pl.Int8 | pl.Int16 | pl.Int32 | pl.UInt8 | pl.UInt16 | pl.UInt32
  ? number | null
  : Type extends pl.Utf8 | pl.String | pl.Categorical ? string | null
  : Type extends pl.Bool ? boolean | null
  : Type extends pl.Date | pl.Datetime ? Date | null
  : unknown;

/** Columns of a frame, with the type of each. */
export type Schema = Record<string, DataType>;

/**
 * Union of several sets of columns, for a choice known only at run time.
 *
 * @internal
 */
export type AllOf<Columns> = {
  [Name in Columns extends unknown ? keyof Columns : never]: Columns extends unknown
    ? Name extends keyof Columns ? Columns[Name] : never
    : never;
};
