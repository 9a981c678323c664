import pl, { type DataFrame } from "nodejs-polars";

/**
 * Distinct rows of some columns of a frame, in the order of their first appearance, with `row_count` (Int32).
 *
 * @param frame A frame with the columns
 * @param names Columns, at least one
 */
export function distinctRows(frame: DataFrame, names: readonly string[]): DataFrame {
  // Only columns with known names from here on: a column can hide a property of the frame.
  const chosen = frame.select(...names);
  const rows = pl.lit(chosen.height).cast(pl.Int32).alias("row_count");
  const varying = varyingColumns(chosen, names);
  if (varying.length === 0) return chosen.head(1).withColumns(rows);
  // Grouping by the few columns that differ costs a fraction of grouping by all of them.
  const constant = names.filter((name) => !varying.includes(name));
  return chosen.lazy().groupBy(varying, true)
    .agg(
      ...constant.map((name) => pl.col(name).first()),
      pl.len().cast(pl.Int32).alias("row_count"),
    )
    .select(...names, "row_count")
    .collectSync();
}

function varyingColumns(frame: DataFrame, names: readonly string[]): string[] {
  const counts = frame.select(...names.map((name) => pl.col(name).nUnique())).row(0);
  return names.filter((_, i) => counts[i] > 1);
}
