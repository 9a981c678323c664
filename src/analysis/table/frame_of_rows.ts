import pl, { type DataFrame, type Series } from "nodejs-polars";
import { fieldOf, type FieldReaders, framed } from "../../frames/frame/typed/frame_of.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";

/** A column of a frame that is made of rows. */
export interface RowColumn<Row> {
  readonly name: string;
  /** Numbers, whole numbers, text, or days since 1970-01-01. */
  readonly type: "number" | "count" | "text" | "day";
  /** The value of a row; `null` stays null. */
  read(row: Row): number | string | null;
}

/** A frame of a few rows, with the types of its columns stated. */
function frameOfRows<Row>(
  rows: readonly Row[],
  columns: readonly RowColumn<Row>[],
): DataFrame {
  return pl.DataFrame(columns.map((column) => toSeries(rows, column)));
}

/** Kinds of columns that are read from rows. */
type RowTable = Readonly<Record<string, keyof RowValues>>;

/** A reader for each column whose value is not the field of the row with its name in camelCase; `null` stays null. */
export type RowReaders<Row, Table> = FieldReaders<Row, Table, RowValues>;

interface RowValues {
  readonly number: number | null;
  readonly count: number | null;
  readonly text: string | null;
  readonly date: number | null;
}

/** A frame of a few rows, with the columns of a table; a date is read as days since 1970-01-01. */
export function tableOfRows<Row, const Table extends RowTable>(
  rows: readonly Row[],
  table: Table,
  readers: RowReaders<Row, Table>,
): TableFrame<Table> {
  const own: Readonly<Record<string, unknown>> = readers;
  const columns = Object.entries(table).map(([name, kind]): RowColumn<Row> => ({
    name,
    type: kind === "date" ? "day" : kind,
    read: (own[name] ?? fieldOf(name)) as RowColumn<Row>["read"],
  }));
  return framed(frameOfRows(rows, columns));
}

function toSeries<Row>(rows: readonly Row[], { name, type, read }: RowColumn<Row>): Series {
  const values = rows.map((row) => read(row));
  if (type === "text") return pl.Series(name, values, pl.Utf8);
  const numbers = pl.Series(name, values, pl.Float64);
  if (type === "number") return numbers;
  // A null in an Int32 series would silently become 0; the cast keeps it null.
  const counts = numbers.cast(pl.Int32);
  return type === "day" ? counts.cast(pl.Date) : counts;
}

/** Readers of the columns of a table by session, whose lines (horizons, quantiles) stand together in each session. */
interface RowsByLine<Line> {
  /** A column of whole numbers. */
  counts(of: (line: Line, session: number) => number): Int32Array;
  /** A column of numbers; NaN stands for null. */
  numbers(of: (line: Line, session: number) => number): Float64Array;
}

/** The rows of so many sessions, with a row for each line in each of them. */
export function rowsByLine<Line>(sessions: number, lines: readonly Line[]): RowsByLine<Line> {
  const width = lines.length;
  const read = <Column extends Int32Array | Float64Array>(
    column: Column,
    of: (line: Line, session: number) => number,
  ): Column => {
    for (let row = 0; row < column.length; row++) {
      column[row] = of(lines[row % width]!, Math.floor(row / width));
    }
    return column;
  };
  return {
    counts: (of) => read(new Int32Array(sessions * width), of),
    numbers: (of) => read(new Float64Array(sessions * width), of),
  };
}
