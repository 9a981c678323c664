import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { columnType } from "../../../frames/frame/times/column_type.ts";
import { type ColumnType, type Table, type TableColumn, type TableName, TABLES } from "./table.ts";
import { dayColumn, instantColumn } from "../../../frames/frame/typed/make_columns.ts";
import { readDays } from "../../../frames/frame/times/read_days.ts";
import { readInstants } from "../../../frames/frame/times/read_instants.ts";

/** Rows of one table. */
export interface LaidRows {
  /** Their table. */
  readonly table: TableName;
  /** The columns of the table and {@link DAY}; columns that the frame lacks are null. */
  readonly rows: LazyDataFrame;
  /**
   * Makes the rows of the table of those of one year, sorted by its key. Done for all years at once, it would take the memory
   * of all of them.
   *
   * @default sorts them
   */
  readonly ofYear?: (rows: LazyDataFrame) => LazyDataFrame;
}

/** Column with the session of each row, or its day in New York. */
export const DAY = "day of the partition";
const ACTION = "export a dataset";

/** The rows of a table in one year, sorted by its key. */
export function rowsInYear({ table, rows, ofYear }: LaidRows, year: number): LazyDataFrame {
  const first = (y: number) => pl.lit(new Date(Date.UTC(y, 0, 1))).cast(pl.Date);
  const day = pl.col(DAY);
  const own = rows.filter(day.gtEq(first(year)).and(day.lt(first(year + 1))));
  return ofYear === undefined ? own.sort([...TABLES[table].key]) : ofYear(own);
}

/** Rows of a table with its columns and types alone. */
export function asWritten(
  rows: LazyDataFrame,
  table: TableName,
  unit: "ms" | "us" = "ms",
): LazyDataFrame {
  return rows.select(
    ...TABLES[table].columns.map(({ name, type }) => pl.col(name).cast(typeOf(type, unit))),
  );
}

/** A frame with exactly the columns of a table, and the day of each row. Types are those of {@link asWritten}, but for categories. */
export function lay(given: DataFrame, table: TableName): LazyDataFrame {
  const { columns } = TABLES[table];
  const timed = withTimes(ACTION, given, {
    columns: columns.map((column) => ({ ...column, name: column.given ?? column.name })),
  });
  const frame = columns.reduce(
    (all, { name, given }) =>
      given !== undefined && all.columns.includes(given) ? all.rename({ [given]: name }) : all,
    timed,
  );
  const names = new Set(frame.columns);
  // Polars keeps a column of one value as that value, until it is read: then it makes all its rows, and keeps these as well.
  const head = frame.head(1);
  const isNumber = (column: TableColumn) => column.type === "number" && names.has(column.name);
  // In memory, four bytes a row: a condition on a column that the plan computes is not pushed down, and each year would lay out
  // all rows.
  return frame.withColumns(dayOf(table, names)).lazy().withColumns(
    ...columns.filter(isNumber).map(({ name }) =>
      // Some engines sort NaN as the largest number.
      pl.col(name).cast(pl.Float64).fillNan(pl.lit(null)).alias(name)
    ),
  ).select(
    ...columns.map((column) => {
      const { name, type, isValue = false } = column;
      if (!names.has(name)) return pl.lit(null).cast(typeOf(type)).alias(name);
      // Categories take a quarter of the memory of texts; they are made texts when they are written.
      const isCategory = columnType(head.getColumn(name)).name === "Categorical";
      const isKept = isCategory && !isValue && !TABLES[table].key.includes(name);
      return isKept ? pl.col(name) : pl.col(name).cast(typeOf(type)).alias(name);
    }),
    pl.col(DAY),
  );
}

function typeOf(type: ColumnType, unit: "ms" | "us" = "ms") {
  if (type === "text") return pl.Utf8;
  if (type === "number") return pl.Float64;
  return type === "date" ? pl.Date : pl.Datetime(unit, "UTC");
}

function dayOf(table: TableName, names: ReadonlySet<string>): Expr {
  // The year of a table is that of the instant that it is sorted by, or of the session of a row.
  const { key: [at], columns } = TABLES[table];
  const isInstant = columns.some(({ name, type }) => name === at && type === "instant");
  if (!isInstant || (table === "panel" && names.has("date"))) {
    return pl.col("date").cast(pl.Date).alias(DAY);
  }
  // New York is five hours behind UTC at the turn of the year.
  return pl.col(at!).cast(pl.Datetime("ms", "UTC")).cast(pl.Int64).minus(5 * 3_600_000)
    .cast(pl.Datetime("ms")).cast(pl.Date).alias(DAY);
}

/**
 * Converts the time columns of a frame to dates and instants, from texts and midnights if necessary.
 *
 * @param action The action, worded to follow "Cannot"
 * @throws {TypeError} If an instant has no time zone, or a date has a time of day
 */
function withTimes(
  action: string,
  frame: DataFrame,
  { columns }: Pick<Table, "columns">,
): DataFrame {
  // Reading a column of one value would make all its rows.
  const head = frame.head(1);
  const read = columns.filter(({ name }) => frame.columns.includes(name))
    .flatMap(({ name, type }) => {
      const own = columnType(head.getColumn(name));
      if (own.name === "Null") return [];
      if (type === "date" && own.name !== "Date") {
        return [dayColumn(name, readDays(action, frame, name))];
      }
      if (type !== "instant" || own.zone !== null) return [];
      return [instantColumn(name, readInstants(action, frame.getColumn(name)))];
    });
  return read.length === 0 ? frame : frame.withColumns(...read);
}
