import pl, { type DataFrame } from "nodejs-polars";

/**
 * What changed between two views of a factor.
 *
 * One row per ticker whose score differs, the largest move first. Columns: `ticker`, `before`, `after` and `change`
 * (Float64); null where a view has no value.
 */
export function changedScores(before: DataFrame, after: DataFrame, score: string): DataFrame {
  const named = (frame: DataFrame, name: string) =>
    frame.select(pl.col("ticker"), pl.col(score).alias(name));
  const change = pl.col("after").sub(pl.col("before"));
  const differs = pl.col("after").isNull().neq(pl.col("before").isNull()).or(change.neq(0));
  return named(before, "before")
    .join(named(after, "after"), { on: "ticker", how: "full", coalesce: true })
    .withColumns(change.alias("change"))
    .filter(differs)
    .withColumns(pl.col("change").abs().alias("size"))
    .sort(["size", "ticker"], [true, false])
    .drop("size");
}

/**
 * Of the names in the top fifth at each month's last session, how many are still there a month later?
 *
 * One row per month of the release. Columns: `month`, `top_fifth` (names), `still_there` (share of them, 0 to 1; null
 * for the last month, whose next is not known).
 */
export function topFifthPersistence(release: DataFrame, score: string): DataFrame {
  const month = pl.col("date").dt.strftime("%Y-%m").alias("month");
  const monthEnds = release.select(month, "date", "ticker", score)
    .filter(pl.col("date").eq(pl.col("date").max().over("month")));
  const rank = pl.col(score).rank().over("month");
  const isTop = rank.gt(pl.col(score).count().over("month").mul(0.8)).fillNull(false);
  return monthEnds.withColumns(isTop.alias("top"))
    .withColumns(pl.col("top").shift(-1).over("ticker").cast(pl.Float64).alias("stays"))
    .filter(pl.col("top"))
    .groupBy("month")
    .agg(pl.col("ticker").count().alias("top_fifth"), pl.col("stays").mean().alias("still_there"))
    .sort("month");
}
