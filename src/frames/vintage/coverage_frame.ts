import pl, { type DataFrame } from "nodejs-polars";
import { withDates } from "../frame/times/read_days.ts";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { assertRows } from "../frame/assert_frame.ts";
import { framed } from "../frame/typed/frame_of.ts";
import type { TableFrame } from "../frame/typed/table_frame.ts";

const ACTION = "count the coverage";

/** Columns of the coverage, in order. */
const COLUMNS = {
  date: "date",
  row_count: "count",
  scored: "count",
  missing: "count",
  share: "number",
} as const;

/**
 * Counts the coverage of a release: one row per session, ascending.
 *
 * Columns: `date` (Date), `row_count`, `scored`, `missing` (Int32) and `share` (Float64 in [0, 1], scored by row count).
 * A release need not be rectangular: tickers come and go, and a row without a score is an explicit missing observation
 * (section 2.5).
 *
 * @param release A release of one factor from `history()`, or rows of it
 * @throws {TypeError} If the frame has no date or no score
 */
export function coverage(release: DataFrame): TableFrame<typeof COLUMNS> {
  assertRows(ACTION, release, "the release");
  const score = FACTORS.map(scoreNameOf).find((name) => release.columns.includes(name));
  if (score === undefined || !release.columns.includes("date")) {
    throw new TypeError(
      "Cannot count the coverage: expected the columns date and ecpnd_score or ecqdi_score, " +
        `got ${release.columns.join(", ")}; history() returns a release with them`,
    );
  }
  const rows = withDates(ACTION, release).select(
    pl.col("date"),
    pl.col(score).fillNan(pl.lit(null)),
    ...(release.columns.includes("ticker") ? [pl.col("ticker")] : []),
  );
  if (release.columns.includes("ticker")) refuseRepeated(rows);
  const counted = rows.lazy().groupBy(["date"])
    .agg(
      pl.len().cast(pl.Int32).alias("row_count"),
      pl.col(score).count().cast(pl.Int32).alias("scored"),
    )
    .withColumns(
      pl.col("row_count").minus(pl.col("scored")).alias("missing"),
      // Polars would return an integer for the quotient of two integers.
      pl.col("scored").cast(pl.Float64).div(pl.col("row_count")).alias("share"),
    )
    .sort("date")
    .collectSync();
  return framed(counted.select(...Object.keys(COLUMNS)));
}

function refuseRepeated(rows: DataFrame): void {
  const distinct = rows.lazy().groupBy(["date"])
    .agg(
      pl.len().cast(pl.Int32).alias("rows"),
      pl.col("ticker").nUnique().cast(pl.Int32).alias("tickers"),
    )
    .filter(pl.col("rows").gt(pl.col("tickers"))).sort("date").select("date").collectSync();
  if (distinct.height === 0) return;
  const [first] = distinct.getColumn("date").toArray() as unknown as Date[];
  throw new TypeError(
    `Cannot ${ACTION}: expected one row for each date and ticker, got several on ` +
      `${first!.toISOString().slice(0, 10)}; take one release at a time`,
  );
}
