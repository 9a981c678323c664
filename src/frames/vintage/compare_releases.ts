import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { withDates } from "../frame/times/read_days.ts";
import type { ColumnsOf } from "../frame/typed/columns.ts";
import { framed } from "../frame/typed/frame_of.ts";
import { SCORE_CHANGES } from "./compare_frame.ts";

/** Columns of the changes between two releases, in order. */
export const RELEASE_CHANGE_COLUMNS = {
  date: "date",
  ticker: "category",
  change: "text",
  before: "number",
  after: "number",
  move: "number",
} as const;

/** Columns of their summary, in order. */
export const RELEASE_SUMMARY_COLUMNS = {
  change: "text",
  row_count: "number",
  sessions: "number",
  tickers: "number",
  mean_abs_move: "number",
  max_abs_move: "number",
} as const;

/** True if a frame has rows of a release: a score per session and ticker. */
export function hasSessions(frame: DataFrame): boolean {
  return frame.columns.includes("date") && frame.columns.includes("ticker");
}

/**
 * Compares two frames of releases of one factor.
 *
 * `changes`: `date`, `ticker`, `change` (added, removed, value_to_null, null_to_value or moved), `before`, `after`, `move`
 * (after minus before), by date and ticker, without unchanged rows. `summary`: `change`, `row_count`, `sessions`, `tickers`,
 * `mean_abs_move`, `max_abs_move`, including kinds that did not occur. A release repeats nearly all of the previous one, so
 * look at the summary first.
 *
 * @throws {TypeError} If a frame has no score column, the two have different ones, or a date and ticker repeat
 */
export function toReleaseChanges(before: DataFrame, after: DataFrame) {
  const name = scoreNameIn(before);
  if (scoreNameIn(after) !== name) {
    throw new TypeError(
      `Cannot compare releases: expected two frames of one factor, got ${name} and ` +
        `${scoreNameIn(after)}`,
    );
  }
  const all = side(before, name, "before").lazy()
    .join(side(after, name, "after").lazy(), {
      on: ["date", "ticker"],
      how: "full",
      coalesce: true,
    })
    .withColumns(changeOf().alias("change"), pl.col("after").minus(pl.col("before")).alias("move"))
    .collectSync();
  const changes = all
    .filter(pl.col("change").neq(pl.lit("unchanged")))
    .select(...Object.keys(RELEASE_CHANGE_COLUMNS))
    .sort({ by: ["date", "ticker"] });
  refuseRepeated({ before, after, all, changes });
  return {
    changes: framed<ColumnsOf<typeof RELEASE_CHANGE_COLUMNS>>(changes),
    summary: framed<ColumnsOf<typeof RELEASE_SUMMARY_COLUMNS>>(summarise(all)),
  };
}

// A repeated row is joined with each of its duplicates, which adds rows to the other side or repeats a change.
function refuseRepeated(
  { before, after, all, changes }: {
    readonly before: DataFrame;
    readonly after: DataFrame;
    readonly all: DataFrame;
    readonly changes: DataFrame;
  },
): void {
  const [fromBefore, fromAfter] = all
    .select(pl.col("in_before").count(), pl.col("in_after").count()).row(0);
  const distinct = changes.lazy().groupBy(["date", "ticker"]).agg(pl.len()).collectSync();
  const isRepeated = fromBefore > before.height || fromAfter > after.height ||
    distinct.height < changes.height;
  if (!isRepeated) return;
  throw new TypeError(
    "Cannot compare releases: expected one row for each date and ticker, got several; " +
      "compare one release with another",
  );
}

function side(frame: DataFrame, name: string, as: "before" | "after"): DataFrame {
  return withDates("compare releases", frame).select(
    pl.col("date"),
    pl.col("ticker").cast(pl.Categorical),
    pl.col(name).fillNan(pl.lit(null)).alias(as),
    pl.lit(true).alias(`in_${as}`),
  );
}

function changeOf(): Expr {
  const [before, after] = [pl.col("before"), pl.col("after")];
  return pl.when(pl.col("in_before").isNull()).then(pl.lit("added"))
    .when(pl.col("in_after").isNull()).then(pl.lit("removed"))
    .when(before.isNull().and(after.isNull())).then(pl.lit("unchanged"))
    .when(after.isNull()).then(pl.lit("value_to_null"))
    .when(before.isNull()).then(pl.lit("null_to_value"))
    .when(before.eq(after)).then(pl.lit("unchanged"))
    .otherwise(pl.lit("moved"));
}

// A kind that did not occur has no rows, and no moves.
const COUNTED = ["row_count", "sessions", "tickers"];

function summarise(all: DataFrame): DataFrame {
  const size = pl.col("move").abs();
  const found = all.lazy().groupBy(["change"]).agg(
    pl.len().cast(pl.Float64).alias("row_count"),
    pl.col("date").nUnique().cast(pl.Float64).alias("sessions"),
    pl.col("ticker").nUnique().cast(pl.Float64).alias("tickers"),
    size.mean().alias("mean_abs_move"),
    size.max().alias("max_abs_move"),
  ).collectSync();
  return pl.DataFrame([pl.Series("change", [...SCORE_CHANGES], pl.Utf8)])
    .join(found, { on: "change", how: "left" })
    .select(
      ...Object.keys(RELEASE_SUMMARY_COLUMNS).map((name) =>
        COUNTED.includes(name) ? pl.col(name).fillNull(0) : pl.col(name)
      ),
    );
}

function scoreNameIn(frame: DataFrame): string {
  const name = FACTORS.map(scoreNameOf).find((candidate) => frame.columns.includes(candidate));
  if (name !== undefined) return name;
  throw new TypeError(
    "Cannot compare releases: expected a column ecpnd_score or ecqdi_score, got " +
      frame.columns.join(", "),
  );
}
