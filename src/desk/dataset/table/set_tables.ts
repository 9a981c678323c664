import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { DAY, type LaidRows, lay } from "./lay.ts";
import { TABLES } from "./table.ts";

/**
 * Tables of score sets: their scores, and for questions by time their publications and the checks that the frame names.
 *
 * A set that the frame has under several checks is kept once, as first received.
 *
 * @param frame Score sets of one factor, with the column `score`
 */
export function setTables(frame: DataFrame): readonly LaidRows[] {
  const isLive = frame.columns.includes("last_checked_at");
  const scores = lay(frame, "sets");
  return [
    { table: "sets", rows: isLive ? onceOf(scores, [...TABLES.sets.key, "score"]) : scores },
    ...publicationTables(frame),
  ];
}

/** The publications that a frame names, and its checks. */
export function publicationTables(frame: DataFrame): readonly LaidRows[] {
  const publications = onceOf(lay(frame, "publications"), TABLES.publications.key);
  return [
    { table: "publications", rows: publications },
    ...frame.columns.includes("last_checked_at") ? [checkTable(frame)] : [],
  ];
}

/** The checks that a frame names. */
export function checkTable(frame: DataFrame): LaidRows {
  const given = frame.filter(pl.col("last_checked_at").isNotNull());
  return { table: "checks", rows: mergeChecks(lay(given, "checks")) };
}

/**
 * Keeps each check once. A latest request reports an old check as stale, whatever it recorded, so such a status is
 * null until another request reports it.
 *
 * @param rows Rows of the table of checks
 */
export function mergeChecks(rows: LazyDataFrame): LazyDataFrame {
  const { key, columns } = TABLES.checks;
  const status = pl.col("status");
  const recorded = rows.withColumns(
    pl.when(status.eq(pl.lit("stale"))).then(pl.lit(null)).otherwise(status).cast(pl.Utf8)
      .alias("status"),
  );
  const isKnown = pl.col("status").isNotNull();
  // Two statuses of one check remain two rows, which are refused when they are written.
  const known = onceOf(recorded.filter(isKnown), [...key, "status"]);
  const unknown = onceOf(recorded.filter(isKnown.not()), key)
    .join(known.select(...key), { on: [...key], how: "anti" });
  const names = [...columns.map(({ name }) => name), DAY];
  return pl.concat([known.select(...names), unknown.select(...names)]);
}

function onceOf(rows: LazyDataFrame, key: readonly string[]): LazyDataFrame {
  return rows.sort({ by: [...key, "retrieved_at"], nullsLast: true, maintainOrder: true })
    .unique({ subset: [...key], keep: "first", maintainOrder: true });
}
