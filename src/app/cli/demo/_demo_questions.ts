import pl, { type DataFrame } from "nodejs-polars";

/** Tickers whose score changed, largest change first: `ticker`, `before`, `after`, `move`, `rank_shift`. */
export function largestMoves(changes: DataFrame): DataFrame {
  return changes.filter(pl.col("change").eq(pl.lit("moved")))
    .sort(pl.col("move").abs(), true)
    .select("ticker", "before", "after", "move", "rank_shift");
}

/**
 * Share of the top quintile at each month's last session that is still in it a month later.
 *
 * One row per month of the release. Columns: `month`, `top_quintile` (number of stocks), `retained` (share of them, 0 to
 * 1; null for the last month, whose next month is unknown), and `source` if the release has it. Stocks without a row at
 * the later month's end do not count.
 */
export function topQuintilePersistence(release: DataFrame, score: string): DataFrame {
  const month = pl.col("date").dt.strftime("%Y-%m").alias("month");
  const source = release.columns.filter((name) => name === "source");
  const monthEnds = release.select(month, "date", "ticker", score, ...source)
    .filter(pl.col("date").eq(pl.col("date").max().over("month")));
  const rank = pl.col(score).rank().over("month");
  const isTop = rank.gt(pl.col(score).count().over("month").mul(0.8)).fillNull(false);
  return monthEnds.withColumns(isTop.alias("top"))
    .withColumns(pl.col("top").shift(-1).over("ticker").cast(pl.Float64).alias("stays"))
    .filter(pl.col("top"))
    .groupBy("month")
    .agg(
      pl.col("ticker").count().alias("top_quintile"),
      pl.col("stays").mean().alias("retained"),
      ...source.map((name) => pl.col(name).first()),
    )
    .sort("month");
}
