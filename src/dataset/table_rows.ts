import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { describe } from "../contract/violation.ts";
import { isMarkedSynthetic } from "../frame/provenance/synthetic_lineage.ts";
import { withTimes } from "./with_times.ts";
import { type ColumnType, type TableColumn, type TableName, TABLES } from "./table.ts";

/** Rows of one factor, or of prices, with the columns of their table and the day that decides their year. */
export interface TableRows {
  /** Their table. */
  readonly table: TableName;
  /** Their factor; `null` in tables without one. */
  readonly factor: string | null;
  /** The columns of the table and {@link DAY}; columns that the frame lacks are null. */
  readonly rows: LazyDataFrame;
}

/** Column with the session of each row, or its day in New York. */
export const DAY = "day of the partition";

const ACTION = "export a dataset";
// The factor becomes the name of a folder.
const FACTOR = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/;

/**
 * Brings a frame to the columns of its table, without reading its rows.
 *
 * @param name The factor of scores that do not name one
 * @throws {TypeError} If it is neither scores, a panel nor prices, or has unknown columns
 */
export function toTableRows(frame: DataFrame, name?: string): readonly TableRows[] {
  const names = new Set(frame.columns);
  if (names.has("close") && names.has("date") && names.has("ticker")) {
    refuseOthers(frame, "prices", []);
    return priceTables(lay(frame, "prices"));
  }
  const score = scoreColumnOf(frame);
  const table = tableOf(frame);
  refuseOthers(frame, table, [score, "factor"]);
  // A frame may be synthetic even without provenance columns.
  const isUnsaid = !names.has("source") && isMarkedSynthetic(frame);
  const sourced = isUnsaid ? frame.withColumns(pl.lit("synthetic").alias("source")) : frame;
  const renamed = score === "score" ? sourced : sourced.rename({ [score]: "score" });
  return factorsOf(frame, score, name).map((factor) => ({
    table,
    factor,
    rows: lay(
      names.has("factor")
        ? renamed.filter(isText("factor", factor))
        : renamed.withColumns(pl.lit(factor).alias("factor")),
      table,
    ),
  }));
}

/** Tables of prices: the prices, and for the analysis of a part all sessions and listings. */
function priceTables(prices: LazyDataFrame): readonly TableRows[] {
  const year = pl.col(DAY).dt.year().alias("year");
  const last = (name: string) => pl.col("date").filter(pl.col(name).isNotNull()).max();
  return [
    { table: "prices", factor: null, rows: prices },
    { table: "sessions", factor: null, rows: prices.select("date", DAY).unique() },
    {
      table: "listings",
      factor: null,
      rows: prices.withColumns(year).groupBy(["ticker", "year"]).agg(
        last("close").alias("last_close"),
        last("open").alias("last_open"),
        pl.col(DAY).max(),
      ).select("ticker", "last_close", "last_open", DAY),
    },
  ];
}

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
  return frame.lazy().withColumns(
    ...columns.filter(isNumber).map(({ name }) =>
      // Some engines sort NaN as the largest number.
      pl.col(name).cast(pl.Float64).fillNan(pl.lit(null)).alias(name)
    ),
  ).select(...columns.map((column) => typed(column, names)), dayOf(table, names));
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
  if (names.has("date") && table !== "sets" && table !== "views") {
    return pl.col("date").cast(pl.Date).alias(DAY);
  }
  const at = table === "sets" ? "calculated_at" : "decided_at";
  // New York is five hours behind UTC at the turn of the year.
  return pl.col(at).cast(pl.Datetime("ms", "UTC")).cast(pl.Int64).minus(5 * 3_600_000)
    .cast(pl.Datetime("ms")).cast(pl.Date).alias(DAY);
}

function tableOf(frame: DataFrame): TableName {
  const names = new Set(frame.columns);
  if (names.has("ticker") && (names.has("at") || names.has("decided_at"))) return "panel";
  if (names.has("ticker") && names.has("date")) return "scores";
  if (names.has("ticker") && names.has("snapshot_id") && names.has("calculated_at")) return "sets";
  throw notRows(frame);
}

function scoreColumnOf(frame: DataFrame): string {
  const found = frame.columns.filter((name) => name === "score" || name.endsWith("_score"));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw notRows(frame);
  throw new TypeError(
    `Cannot ${ACTION}: expected scores of one column, got ${found.join(", ")}; ` +
      'load a panel with layout: "long", or select one factor at a time',
  );
}

function notRows(frame: DataFrame): TypeError {
  return new TypeError(
    `Cannot ${ACTION}: expected scores with date, ticker and a score, a panel with at, or prices with ` +
      `date, ticker and close, got ${frame.columns.join(", ") || "no columns"}`,
  );
}

function factorsOf(frame: DataFrame, score: string, name?: string): readonly string[] {
  const told = frame.columns.includes("factor")
    ? frame.getColumn("factor").cast(pl.Utf8).unique().toArray() as (string | null)[]
    : [name ?? (score === "score" ? null : score.slice(0, -"_score".length))];
  for (const factor of told) {
    if (typeof factor === "string" && FACTOR.test(factor)) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected the name of a factor in letters, digits, "_", "-" and ".", got ` +
        `${describe(factor)}; give it as the option factor, or as a column`,
    );
  }
  return (told as string[]).toSorted();
}

function isText(column: string, text: string): Expr {
  return pl.col(column).cast(pl.Utf8).eq(pl.lit(text));
}

function refuseOthers(frame: DataFrame, table: TableName, more: readonly string[]): void {
  const known = new Set([
    ...TABLES[table].columns.flatMap(({ name, given = name }) => [name, given]),
    ...more,
  ]);
  const others = frame.columns.filter((name) => !known.has(name));
  if (others.length === 0) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected the columns of the table ${table}, got ${
      others.join(", ")
    } as well; ` +
      "drop them",
  );
}
