import pl, { type DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../contract/factor.ts";
import { assertFrame } from "../frame/assert_frame.ts";

/**
 * How much of a release has a score: one row per session, ascending.
 *
 * Columns: `date` (Date), `row_count`, `scored`, `missing` (Int32) and `share` (Float64 in [0, 1], scored by row count).
 * A release need not be rectangular: tickers come and go, and a row without a score is an explicit missing observation
 * (section 2.5).
 *
 * @param release A release of one factor, as `history()` gives it, or rows of it
 * @throws {TypeError} If the frame has no date or no score
 */
export function coverage(release: DataFrame): DataFrame {
  assertFrame("count the coverage", release);
  const score = FACTORS.map(scoreNameOf).find((name) => release.columns.includes(name));
  if (score === undefined || !release.columns.includes("date")) {
    throw new TypeError(
      "Cannot count the coverage: expected the columns date and ecpnd_score or ecqdi_score, " +
        `got ${release.columns.join(", ")}; history() gives a release that has them`,
    );
  }
  return release.select("date", score).lazy()
    .groupBy(["date"])
    .agg(
      pl.len().cast(pl.Int32).alias("row_count"),
      pl.col(score).count().cast(pl.Int32).alias("scored"),
    )
    .withColumns(
      pl.col("row_count").minus(pl.col("scored")).alias("missing"),
      // The quotient of two integers would be an integer.
      pl.col("scored").cast(pl.Float64).div(pl.col("row_count")).alias("share"),
    )
    .sort("date")
    .collectSync();
}
