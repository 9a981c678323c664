import pl, { type DataFrame } from "nodejs-polars";
import { PROVENANCE_COLUMNS } from "./column.ts";

/**
 * The distinct origins of a frame's rows, in the order in which they first appear.
 *
 * One row per combination of provenance values, with the provenance columns that the frame still has and
 * `row_count` (Float64), how many rows of the frame come from there. A frame that carries no provenance column gives
 * a frame of no columns.
 *
 * @param frame Any frame: filtered, joined, concatenated or read back from Parquet
 */
export function provenance(frame: DataFrame): DataFrame {
  const names = provenanceNames(frame);
  if (names.length === 0) return pl.DataFrame({});
  // From here on only columns with known names: a frame is a proxy on which a column can hide a property.
  const origins = frame.select(...names);
  const rows = pl.lit(origins.height).cast(pl.Float64).alias("row_count");
  const varying = varyingColumns(origins, names);
  if (varying.length === 0) return origins.head(1).withColumns(rows);
  // Grouping by the few columns that differ costs a fraction of grouping by all of them.
  const constant = names.filter((name) => !varying.includes(name));
  return origins.lazy().groupBy(varying, true)
    .agg(
      ...constant.map((name) => pl.col(name).first()),
      pl.len().cast(pl.Float64).alias("row_count"),
    )
    .select(...names, "row_count")
    .collectSync();
}

/** The provenance columns that a frame has, in the order of frames. */
export function provenanceNames(frame: DataFrame): string[] {
  const present = new Set(frame.columns);
  return PROVENANCE_COLUMNS.map(({ name }) => name).filter((name) => present.has(name));
}

function varyingColumns(frame: DataFrame, names: readonly string[]): string[] {
  const counts = frame.select(...names.map((name) => pl.col(name).nUnique())).row(0);
  return names.filter((_, i) => counts[i] > 1);
}
