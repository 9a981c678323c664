import pl, { type DataFrame, type DataType, type Series } from "nodejs-polars";
import { tagOf } from "../tag_of.ts";
import type { ColumnKind, ColumnsOf, ColumnTable } from "./columns.ts";
import { dayColumn, instantColumn, numberColumn } from "./make_columns.ts";
import type { TypedFrame } from "./typed_frame.ts";

/** Accepted forms of the values of a column; missing values are null, or NaN in a typed array. */
interface KindValues {
  readonly text: readonly (string | null)[] | Series;
  readonly category: readonly (string | null)[] | Series;
  readonly number: readonly (number | null)[] | Float64Array | Series;
  readonly count: readonly (number | null)[] | Int32Array | Series;
  /** A typed array has days since 1970-01-01. */
  readonly date: readonly (Date | null)[] | Int32Array | Series;
  /** A typed array has milliseconds since 1970-01-01T00:00Z. */
  readonly instant: readonly (Date | null)[] | Float64Array | Series;
  readonly flag: readonly (boolean | null)[] | Series;
}

/** Values for each column of a table. */
export type TableValues<Table extends ColumnTable> = {
  readonly [Name in keyof Table]: KindValues[Table[Name]];
};

/** Creates a frame with the names, types and order of a table of columns. */
export function frameOf<const Table extends ColumnTable>(
  table: Table,
  values: TableValues<Table>,
): TypedFrame<ColumnsOf<Table>> {
  const columns = Object.entries(table).map(([name, kind]) =>
    toSeries(name, kind, values[name as keyof Table])
  );
  return framed<ColumnsOf<Table>>(pl.DataFrame(columns));
}

/** A reader for each column whose value is not the field of the row with its name in camelCase. */
export type FieldReaders<Row, Table, Values> =
  & {
    readonly [
      Name in keyof Table as IsField<Row, Name, Values[Table[Name] & keyof Values]> extends true
        ? never
        : Name
    ]: (row: Row) => Values[Table[Name] & keyof Values];
  }
  & { readonly [Name in keyof Table]?: (row: Row) => Values[Table[Name] & keyof Values] };

type IsField<Row, Name, Value> = CamelCase<Name> extends keyof Row
  ? Row[CamelCase<Name>] extends Value ? true : false
  : false;
type CamelCase<Name> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name & string;

/** Objects whose fields have the names of a table's columns in camelCase; a date or an instant is its text. */
export type FieldsOf<Table extends Readonly<Record<string, keyof RowValues>>> = {
  readonly [Name in keyof Table as CamelCase<Name>]: RowValues[Table[Name]];
};

/** A row's value of a column: the field with its name in camelCase. */
export function fieldOf<Value>(column: string): (row: unknown) => Value {
  const field = column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return (row) => (row as Readonly<Record<string, Value>>)[field]!;
}

/** Values of a row; a date or an instant is its text. */
interface RowValues {
  readonly text: string | null;
  readonly number: number | null;
  readonly count: number | null;
  readonly date: string | null;
  readonly instant: string | null;
  readonly flag: boolean | null;
}

/** Creates a frame with the columns of a table, one row for each object. */
export function frameOfObjects<
  Row,
  const Table extends Readonly<Record<string, keyof RowValues>>,
>(
  rows: readonly Row[],
  table: Table,
  readers: FieldReaders<Row, Table, RowValues>,
): TypedFrame<ColumnsOf<Table>> {
  const own: Readonly<Record<string, unknown>> = readers;
  const values = Object.entries(table).map(([name, kind]) => {
    const read = (own[name] ?? fieldOf(name)) as (row: Row) => RowValues[keyof RowValues];
    const isTime = kind === "date" || kind === "instant";
    return [name, rows.map((row) => isTime ? toDate(read(row) as string | null) : read(row))];
  });
  return frameOf(table, Object.fromEntries(values) as TableValues<Table>);
}

/** Types a frame whose columns are known to have these names and types. */
export function framed<Columns extends Record<string, DataType>>(
  frame: DataFrame,
): TypedFrame<Columns> {
  return frame as unknown as TypedFrame<Columns>;
}

type Values = KindValues[ColumnKind];

function toSeries(name: string, kind: ColumnKind, values: Values): Series {
  if (tagOf(values) === "Series") return (values as Series).alias(name);
  if (values instanceof Float64Array) {
    return kind === "instant" ? instantColumn(name, values) : numberColumn(name, values);
  }
  if (values instanceof Int32Array) {
    return kind === "date" ? dayColumn(name, values) : pl.Series(name, values, pl.Int32);
  }
  const series = pl.Series(name, [...values as readonly unknown[]], TYPES[kind]);
  if (kind === "category") return series.cast(pl.Categorical);
  return kind === "count" ? series.cast(pl.Int32) : series;
}

// A null in an Int32 series would silently become 0; the cast keeps it null.
const TYPES: Readonly<Record<ColumnKind, DataType>> = {
  text: pl.Utf8,
  category: pl.Utf8,
  number: pl.Float64,
  count: pl.Float64,
  date: pl.Date,
  instant: pl.Datetime("ms", "UTC"),
  flag: pl.Bool,
};

/** A date or an instant as Polars takes it. */
export function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
