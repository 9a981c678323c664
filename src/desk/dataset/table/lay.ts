import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { type ColumnType, type TableColumn, type TableName, TABLES } from "./table.ts";
import { withTimes } from "./with_times.ts";

/** Rows of one table. */
export interface LaidRows {
  /** Their table. */
  readonly table: TableName;
  /** The columns of the table and {@link DAY}; columns that the frame lacks are null. */
  readonly rows: LazyDataFrame;
}

/** Column with the session of each row, or its day in New York. */
export const DAY = "day of the partition";

const ACTION = "export a dataset";
// The year of a table is that of an instant, or of the session of a row.
const INSTANTS: Readonly<Record<TableName, string | null>> = {
  panel: "decided_at",
  views: "decided_at",
  sets: "calculated_at",
  publications: "calculated_at",
  checks: "last_checked_at",
  scores: null,
  releases: null,
  prices: null,
  sessions: null,
  listings: null,
};

/** A frame with exactly the columns and types of a table, and the day of each row. */
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
  const isNumber = (column: TableColumn) => column.type === "number" && names.has(column.name);
  // In memory, four bytes a row: a condition on a column that the plan computes is not pushed down, and each year would lay out
  // all rows.
  return frame.withColumns(dayOf(table, names)).lazy().withColumns(
    ...columns.filter(isNumber).map(({ name }) =>
      // Some engines sort NaN as the largest number.
      pl.col(name).cast(pl.Float64).fillNan(pl.lit(null)).alias(name)
    ),
  ).select(...columns.map((column) => typed(column, names)), pl.col(DAY));
}

function typed({ name, type }: TableColumn, names: ReadonlySet<string>): Expr {
  const value = names.has(name) ? pl.col(name) : pl.lit(null);
  return value.cast(typeOf(type)).alias(name);
}

function typeOf(type: ColumnType) {
  if (type === "text") return pl.Utf8;
  if (type === "number") return pl.Float64;
  return type === "date" ? pl.Date : pl.Datetime("ms", "UTC");
}

function dayOf(table: TableName, names: ReadonlySet<string>): Expr {
  const at = INSTANTS[table];
  if (at === null || (table === "panel" && names.has("date"))) {
    return pl.col("date").cast(pl.Date).alias(DAY);
  }
  // New York is five hours behind UTC at the turn of the year.
  return pl.col(at).cast(pl.Datetime("ms", "UTC")).cast(pl.Int64).minus(5 * 3_600_000)
    .cast(pl.Datetime("ms")).cast(pl.Date).alias(DAY);
}
