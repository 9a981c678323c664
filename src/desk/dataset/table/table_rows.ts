import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { isMarkedSynthetic } from "../../../frames/frame/provenance/synthetic_lineage.ts";
import { type LaidRows, lay } from "./lay.ts";
import { publicationTables, setTables } from "./set_tables.ts";
import { type TableName, TABLES } from "./table.ts";

/** Rows of one factor, or of prices, with the columns of their table and the day that decides their year. */
export interface TableRows extends LaidRows {
  /** Their factor; `null` in tables without one. */
  readonly factor: string | null;
}

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
    return [{ table: "prices", factor: null, rows: lay(frame, "prices") }];
  }
  const isPublished = !names.has("ticker") && names.has("snapshot_id");
  if (isPublished && names.has("calculated_at")) {
    refuseOthers(frame, "publications", [...CHECKS, "superseded_at", "tickers", "scored"]);
    return byFactor(withSource(frame), name, publicationTables);
  }
  const score = scoreColumnOf(frame);
  const table = tableOf(frame);
  refuseOthers(frame, table, [score, "factor", ...table === "sets" ? CHECKS : []]);
  const sourced = withSource(frame);
  const renamed = score === "score" ? sourced : sourced.rename({ [score]: "score" });
  const told = name ?? (score === "score" ? undefined : score.slice(0, -"_score".length));
  if (table === "sets") return byFactor(renamed, told, setTables);
  const factors = factorsOf(renamed, told);
  const rows = lay(withFactor(renamed, factors), table);
  // A frame that is filtered before it is lazy loses the push-down of the year: each year then takes ten times the memory.
  return factors.map((factor) => ({
    table,
    factor,
    rows: factors.length === 1 ? rows : rows.filter(isText("factor", factor)),
  }));
}

// The check in a frame of a live set belongs to another table.
const CHECKS = TABLES.checks.columns.map(({ name }) => name);

// A frame may be synthetic even without provenance columns.
function withSource(frame: DataFrame): DataFrame {
  const isUnsaid = !frame.columns.includes("source") && isMarkedSynthetic(frame);
  return isUnsaid ? frame.withColumns(pl.lit("synthetic").alias("source")) : frame;
}

/** The tables of each factor that a frame names. */
function byFactor(
  frame: DataFrame,
  name: string | undefined,
  tables: (rows: DataFrame) => readonly LaidRows[],
): readonly TableRows[] {
  const factors = factorsOf(frame, name);
  const whole = withFactor(frame, factors);
  return factors.flatMap((factor) =>
    tables(factors.length === 1 ? whole : whole.filter(isText("factor", factor)))
      .map((laid) => ({ ...laid, factor }))
  );
}

function withFactor(frame: DataFrame, [factor]: readonly string[]): DataFrame {
  const isNamed = frame.columns.includes("factor");
  return isNamed ? frame : frame.withColumns(pl.lit(factor!).alias("factor"));
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

function factorsOf(frame: DataFrame, name?: string): readonly string[] {
  const told = frame.columns.includes("factor")
    ? frame.select(pl.col("factor").unique().cast(pl.Utf8)).getColumn("factor")
      .toArray() as (string | null)[]
    : [name ?? null];
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
    `Cannot ${ACTION}: expected the columns of the table ${table}, got ${others.join(", ")} as ` +
      "well; drop them",
  );
}

/**
 * Rows of releases as those of the table in which releases stand side by side.
 *
 * @throws {TypeError} If they are no scores
 */
export function besideOthers(sources: readonly TableRows[]): readonly TableRows[] {
  return sources.map((source) => {
    if (source.table === "scores") return { ...source, table: "releases" };
    throw new TypeError(
      `Cannot export a dataset: expected a release with sideBySide, got rows of the table ${source.table}; ` +
        "leave the option out",
    );
  });
}
