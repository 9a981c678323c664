import type {
  CrossJoinOptions,
  DataFrame,
  DataType,
  Expr,
  GroupBy,
  LazyDataFrame,
  pl,
  Series,
} from "nodejs-polars";
import type { Schema, ValueOf } from "./columns.ts";

/**
 * Name of a column.
 *
 * @internal
 */
export type NameOf<Columns> = Extract<keyof Columns, string>;
/**
 * A name known only at run time: a value of type `string`.
 *
 * @internal
 */
export type RunTimeName<Name extends string> = string extends Name ? Name : never;
/**
 * Columns renamed by a mapping.
 *
 * @internal
 */
export type RenamedColumns<Columns, Names> = {
  [
    Name in keyof Columns as Name extends keyof Names ? Names[Name] extends string ? Names[Name]
      : Name
      : Name
  ]: Columns[Name];
};
/**
 * Options of a join that do not change its columns.
 *
 * @internal
 */
export type JoinChecks = Omit<CrossJoinOptions, "how" | "suffix" | "coalesce">;

/**
 * Keys of a join, by which the other frame is matched.
 *
 * @internal
 */
export type JoinKeys<Left, Right, Key extends NameOf<Right> = NameOf<Right>> =
  & JoinChecks
  & (
    | { readonly on: OneOrMore<Key & NameOf<Left>> }
    | { readonly leftOn: OneOrMore<NameOf<Left>>; readonly rightOn: OneOrMore<Key> }
  );

/**
 * Members of a frame that {@link TypedFrame} retypes.
 *
 * @internal
 */
export type RetypedMember =
  | ("drop" | "dropNulls" | "extend" | "filter" | "getColumn" | "getColumns" | "groupBy" | "head")
  | ("hstack" | "join" | "joinAsof" | "lazy" | "limit" | "nullCount" | "partitionBy" | "rename")
  | ("reverse" | "row" | "rows" | "schema" | "select" | "slice" | "sort" | "tail" | "toObject")
  | ("toRecords" | "toSeries" | "unique" | "vstack" | "where")
  | ("withColumn" | "withColumnRenamed" | "withColumns" | "withRowIndex");

/**
 * One value, or several.
 *
 * @internal
 */
export type OneOrMore<Value> = Value | Value[];

/**
 * A frame of nodejs-polars with typed columns: editors complete their names, wrong names do not compile, and values have their
 * run-time types.
 *
 * `filter`, `sort`, `select`, `join`, `rename`, `drop` and the other methods that keep columns keep their types. Methods that
 * compute columns from expressions (`withColumn`, `select` of expressions) return columns of unknown types; {@link typed} types
 * them again. Overloads that return `never` make the frame assignable to DataFrame; no call matches them.
 */
export interface TypedFrame<Columns extends Schema = Schema>
  extends Omit<DataFrame, RetypedMember> {
  /** Types of the columns. */
  get schema(): Columns;
  /** A column whose name is known only at run time. */
  getColumn<Name extends string>(name: RunTimeName<Name>): Series;
  /** A column. */
  getColumn<Name extends NameOf<Columns>>(name: Name): TypedSeries<Columns[Name], Name>;
  /** The columns. */
  getColumns(): TypedSeries<Columns[NameOf<Columns>], NameOf<Columns>>[];
  /** @ignore */
  getColumns(): never;
  /** The column at an index. */
  toSeries(index?: number): TypedSeries<Columns[NameOf<Columns>], NameOf<Columns>>;
  /** @ignore */
  toSeries(): never;
  /** One object per row. */
  toRecords(): { [Name in keyof Columns]: ValueOf<Columns[Name]> }[];
  /** @ignore */
  toRecords(): never;
  /** One array per column. */
  toObject(): { [Name in keyof Columns]: ValueOf<Columns[Name]>[] };
  /** @ignore */
  toObject(): never;
  /** Values of a row. */
  row(index: number): ValueOf<Columns[keyof Columns]>[];
  /** Values of all rows. */
  rows(): ValueOf<Columns[keyof Columns]>[][];

  /** Rows that satisfy a condition; names within an expression are not checked. */
  filter(predicate: Expr | Series): TypedFrame<Columns>;
  /** Rows that satisfy a condition. */
  where(predicate: Expr | Series): TypedFrame<Columns>;
  /** Rows in the order of columns or expressions. */
  sort(
    by: OneOrMore<NameOf<Columns>> | OneOrMore<Expr>,
    descending?: OneOrMore<boolean>,
    nullsLast?: OneOrMore<boolean>,
    maintainOrder?: boolean,
    multithreaded?: boolean,
  ): TypedFrame<Columns>;
  /** Rows in the order of columns or expressions. */
  sort(options: {
    by: OneOrMore<NameOf<Columns>> | OneOrMore<Expr>;
    descending?: OneOrMore<boolean>;
    nullsLast?: OneOrMore<boolean>;
    maintainOrder?: boolean;
    multithreaded?: boolean;
  }): TypedFrame<Columns>;
  /** Rows in the order of columns or expressions. */
  sort<Name extends string>(
    by: OneOrMore<RunTimeName<Name>>,
    descending?: OneOrMore<boolean>,
    nullsLast?: OneOrMore<boolean>,
    maintainOrder?: boolean,
    multithreaded?: boolean,
  ): TypedFrame<Columns>;
  /** Columns of these names. */
  select<Name extends NameOf<Columns>>(...columns: Name[]): TypedFrame<Pick<Columns, Name>>;
  /** Columns that expressions compute, whose types are not known. */
  select(...columns: (NameOf<Columns> | Expr)[]): TypedFrame;
  /** Columns that expressions compute, whose types are not known. */
  select<Name extends string>(...columns: (RunTimeName<Name> | Expr)[]): TypedFrame;
  /** @ignore */
  select(column: never): never;
  /** All columns but these. */
  drop<Name extends NameOf<Columns>>(
    name: Name | Name[],
    ...names: Name[]
  ): TypedFrame<Omit<Columns, Name>>;
  /** All columns but these. */
  drop<Name extends string>(
    name: OneOrMore<RunTimeName<Name>>,
    ...names: RunTimeName<Name>[]
  ): TypedFrame;
  /** @ignore */
  drop(name: never): never;
  /** Columns under other names. */
  rename<const Names extends { readonly [Name in NameOf<Columns>]?: string }>(
    mapping: Names & { readonly [Name in Exclude<keyof Names, NameOf<Columns>>]: never },
    strict?: boolean,
  ): TypedFrame<RenamedColumns<Columns, Names>>;
  /** @ignore */
  rename(mapping: never): never;
  /** One column under another name. */
  withColumnRenamed<Old extends NameOf<Columns>, New extends string>(
    existingName: Old,
    replacement: New,
  ): TypedFrame<RenamedColumns<Columns, Record<Old, New>>>;
  /** One column under another name. */
  withColumnRenamed<Old extends NameOf<Columns>, New extends string>(options: {
    existingName: Old;
    replacement: New;
  }): TypedFrame<RenamedColumns<Columns, Record<Old, New>>>;
  /** @ignore */
  withColumnRenamed(existingName: never): never;
  /** With a known column, which replaces one of the same name. */
  withColumn<Type extends DataType, Name extends string>(
    column: TypedSeries<Type, Name>,
  ): TypedFrame<Omit<Columns, Name> & Record<Name, Type>>;
  /** With the column of an expression, of unknown type. */
  withColumn(column: Expr | Series): TypedFrame;
  /** @ignore */
  withColumn(column: never): never;
  /** With the columns of expressions, of unknown types. */
  withColumns(...columns: (Expr | Series)[]): TypedFrame;
  /** With the number of each row. */
  withRowIndex<const Name extends string = "index">(
    name?: Name,
    offset?: number,
  ): TypedFrame<Record<Name, pl.UInt32> & Columns>;
  /** @ignore */
  withRowIndex(name: never): never;

  /** Rows of this frame with a match in the other, or without one. */
  join<Right extends Schema>(
    other: TypedFrame<Right> | DataFrame<Right>,
    options: JoinKeys<Columns, Right> & { readonly how: "semi" | "anti" },
  ): TypedFrame<Columns>;
  /** Rows joined with those of another frame with equal keys. */
  join<
    Right extends Schema,
    const Key extends NameOf<Right>,
    const Suffix extends string = "_right",
  >(
    other: TypedFrame<Right> | DataFrame<Right>,
    options: JoinKeys<Columns, Right, Key> & {
      readonly how?: "inner" | "left";
      readonly suffix?: Suffix;
    },
  ): TypedFrame<JoinColumns<Columns, Right, Key, Suffix>>;
  /** Each row with each of another frame. */
  join<Right extends Schema, const Suffix extends string = "_right">(
    other: TypedFrame<Right> | DataFrame<Right>,
    options: JoinChecks & { readonly how: "cross"; readonly suffix?: Suffix },
  ): TypedFrame<JoinColumns<Columns, Right, never, Suffix>>;
  /** All rows of both frames, with unknown types. */
  join<Right extends Schema>(
    other: TypedFrame<Right> | DataFrame<Right>,
    options: JoinKeys<Columns, Right> & {
      readonly how?: "inner" | "left" | "right" | "full";
      readonly suffix?: string;
      readonly coalesce?: boolean;
    },
  ): TypedFrame;
  /** @ignore */
  join(other: never, options: never): never;
  /** Rows joined with the nearest of another frame, with unknown types. */
  joinAsof(...joining: Parameters<DataFrame["joinAsof"]>): TypedFrame;
  /** With the columns of another frame beside its own. */
  hstack<Right extends Schema>(columns: TypedFrame<Right>): TypedFrame<Columns & Right>;
  /** @ignore */
  hstack(columns: never): never;
  /** With the rows of another frame of the same columns. */
  vstack(other: DataFrame): TypedFrame<Columns>;
  /** With the rows of another frame of the same columns. */
  extend(other: DataFrame): TypedFrame<Columns>;
  /** Groups of rows with equal values; names of the results are not known. */
  groupBy(...by: OneOrMore<NameOf<Columns>>[]): GroupBy;
  /** Groups of rows with equal values; names of the results are not known. */
  groupBy<Name extends string>(...by: OneOrMore<RunTimeName<Name>>[]): GroupBy;
  /** One frame for each group of rows. */
  partitionBy(
    columns: OneOrMore<NameOf<Columns>>,
    stable?: boolean,
    includeKey?: true,
  ): TypedFrame<Columns>[];
  /** @ignore */
  partitionBy(columns: never): never;
  /** One frame for each group of rows. */
  partitionBy<Part>(
    columns: OneOrMore<NameOf<Columns>>,
    stable: boolean,
    includeKey: boolean,
    map: (part: DataFrame) => Part,
  ): Part[];
  /** Distinct rows. */
  unique(
    subset?: OneOrMore<NameOf<Columns>>,
    keep?: "first" | "last" | "any" | "none",
    maintainOrder?: boolean,
  ): TypedFrame<Columns>;
  /** Distinct rows. */
  unique(options: {
    subset?: OneOrMore<NameOf<Columns>>;
    keep?: "first" | "last" | "any" | "none";
    maintainOrder?: boolean;
  }): TypedFrame<Columns>;
  /** Rows without a null in these columns. */
  dropNulls(...columns: OneOrMore<NameOf<Columns>>[]): TypedFrame<Columns>;
  /** @ignore */
  dropNulls(columns: never): never;

  /** The first rows. */
  head(length?: number): TypedFrame<Columns>;
  /** Last rows. */
  tail(length?: number): TypedFrame<Columns>;
  /** The first rows. */
  limit(length?: number): TypedFrame<Columns>;
  /** Some rows after one another. */
  slice(offset: number, length: number): TypedFrame<Columns>;
  /** Some rows after one another. */
  slice(place: { offset: number; length: number }): TypedFrame<Columns>;
  /** @ignore */
  slice(place: never): never;
  /** Numbers of nulls, one row. */
  nullCount(): TypedFrame<{ [Name in keyof Columns]: pl.UInt32 }>;
  /** @ignore */
  nullCount(): never;
  /** Rows in the opposite order. */
  reverse(): TypedFrame<Columns>;
  /** A lazy frame without typed columns; {@link typed} types the result of `collect`. */
  lazy(): LazyDataFrame;
}

/**
 * Columns of a join: all of the left frame, and those of the right frame except the keys, with a suffix for common names.
 *
 * @internal
 */
export type JoinColumns<
  Left extends Schema,
  Right extends Schema,
  Key extends string,
  Suffix extends string,
> =
  & { [Name in keyof Left]: Left[Name] }
  & {
    [
      Name in Exclude<keyof Right, Key> as Name extends keyof Left ? `${Name & string}${Suffix}`
        : Name
    ]: Right[Name];
  };

/**
 * A column of a {@link TypedFrame}: a Series of nodejs-polars whose values have their run-time type. nodejs-polars itself types
 * a date, an instant or a category as `never`, and omits null.
 *
 * @internal
 */
export interface TypedSeries<Type extends DataType = DataType, Name extends string = string>
  extends Omit<Series<Type, Name>, "toArray" | typeof Symbol.iterator> {
  /** Values; missing ones are null. */
  toArray(): ValueOf<Type>[];
  /** @ignore */
  toArray(): never;
  /**
   * Iterates over the values, as `getIndex` returns them; of any type, because the type of a Series of nodejs-polars has
   * neither dates nor nulls, and a column must be assignable to it. `toArray` is typed.
   */
  [Symbol.iterator](): IterableIterator<ReturnType<Series["getIndex"]>>;
}

/** Frame with the columns of the rows given: those of a typed frame, or of the `data` of a result; untyped where they are unknown. */
export type RowsOf<Data> = Data extends TypedFrame<infer Columns> ? TypedFrame<Columns>
  : Data extends { readonly data: TypedFrame<infer Columns> } ? TypedFrame<Columns>
  : DataFrame;
