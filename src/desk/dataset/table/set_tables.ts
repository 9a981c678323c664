import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { type LaidRows, lay } from "./lay.ts";
import { TABLES } from "./table.ts";

/**
 * Tables of score sets: their scores, and for questions by time their publications and the checks that the frame names.
 *
 * A set that the frame has under several checks is kept once, as first received.
 *
 * @param frame Score sets of one factor, with the column `score`
 */
export function setTables(frame: DataFrame): readonly LaidRows[] {
  const once = onceOf([...TABLES.sets.key, "score"]);
  const isLive = frame.columns.includes("last_checked_at");
  return [
    { table: "sets", rows: lay(frame, "sets"), ...isLive ? { ofYear: once } : {} },
    ...publicationTables(frame),
  ];
}

/** The publications that a frame names, and its checks. */
export function publicationTables(given: DataFrame): readonly LaidRows[] {
  const frame = firstOfRuns(given);
  const rows = lay(frame, "publications");
  return [
    { table: "publications", rows, ofYear: onceOf(TABLES.publications.key) },
    ...frame.columns.includes("last_checked_at") ? [checkTable(frame)] : [],
  ];
}

/** The checks that a frame names. */
export function checkTable(frame: DataFrame): LaidRows {
  const given = frame.filter(pl.col("last_checked_at").isNotNull());
  return { table: "checks", rows: lay(given, "checks"), ofYear: mergeChecks };
}

/**
 * Keeps each check once. A latest request reports an old check as stale, whatever it recorded, so such a status is
 * null until another request reports it.
 *
 * @param rows Rows of the table of checks
 */
function mergeChecks(rows: LazyDataFrame): LazyDataFrame {
  const { key } = TABLES.checks;
  const status = pl.col("status");
  const recorded = rows.withColumns(
    pl.when(status.eq(pl.lit("stale"))).then(pl.lit(null)).otherwise(status).cast(pl.Utf8)
      .alias("status"),
  );
  // Two statuses of one check remain two rows, which are refused when they are written.
  return onceOf([...key, "status"])(recorded)
    .withColumns(pl.col("status").count().over(key[0]!, ...key.slice(1)).alias(KNOWN))
    .filter(pl.col("status").isNotNull().or(pl.col(KNOWN).eq(pl.lit(0))))
    .drop(KNOWN);
}

const KNOWN = "number of statuses";

/** Keeps the first received of rows with the same values. */
function onceOf(names: readonly string[]): (rows: LazyDataFrame) => LazyDataFrame {
  // Of sorted rows the same ones are neighbours; a table of hashes would take as much memory as the rows.
  return (rows) =>
    rows.sort({ by: [...names, "retrieved_at"], nullsLast: true, maintainOrder: true })
      .filter(differsFromBefore(names));
}

const SLICE = 1 << 18;

/** One row of each set and check instead of one of each ticker, as far as the rows of a set stand together. */
function firstOfRuns(frame: DataFrame): DataFrame {
  const names = frame.columns.filter((name) => name !== "ticker" && name !== "score");
  const few = [];
  for (let row = 0; row < frame.height; row += SLICE) {
    few.push(frame.slice(row, SLICE).select(...names).filter(differsFromBefore(names)));
  }
  return few.length === 1 ? few[0]! : pl.concat(few);
}

function differsFromBefore(names: readonly string[]): Expr {
  return names.map((name) => {
    const [own, before] = [pl.col(name), pl.col(name).shift(1)];
    return own.neq(before).fillNull(own.isNull().neq(before.isNull()));
  }).reduce((any, one) => any.or(one));
}
