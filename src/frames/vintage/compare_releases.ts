import pl, { type DataFrame, type DataType, type Expr } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { withDates } from "../frame/times/read_days.ts";
import type { ColumnsOf, ColumnTable } from "../frame/typed/columns.ts";
import { framed } from "../frame/typed/frame_of.ts";
import type { TypedFrame } from "../frame/typed/typed_frame.ts";

/** All changes, in the order of the summary. */
const SCORE_CHANGES = [
  ...["added", "removed", "value_to_null", "null_to_value", "moved", "unchanged"],
] as const;

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
  refuseTwoFactors("releases", name, scoreNameIn(after));
  const [first, second] = [before, after].map((frame) => withDates("compare releases", frame));
  const all = comparedRows(first!, second!, name, { date: pl.Date, ticker: pl.Categorical });
  const changes = all.filter(pl.col("change").neq(pl.lit("unchanged")))
    .select(...Object.keys(RELEASE_CHANGE_COLUMNS))
    .sort({ by: ["date", "ticker"] });
  const [fromBefore, fromAfter] = all
    .select(pl.col("in_before").count(), pl.col("in_after").count()).row(0);
  const distinct = changes.lazy().groupBy(["date", "ticker"]).agg(pl.len()).collectSync();
  // A repeated row is joined with each of its duplicates, which adds rows to the other side or repeats a change.
  if (fromBefore > before.height || fromAfter > after.height || distinct.height < changes.height) {
    throw new TypeError(
      "Cannot compare releases: expected one row for each date and ticker, got several; " +
        "compare one release with another",
    );
  }
  const summary = summaryOf(all, RELEASE_SUMMARY_COLUMNS, [
    pl.len().alias("row_count"),
    pl.col("date").nUnique().alias("sessions"),
    pl.col("ticker").nUnique().alias("tickers"),
  ]);
  return { changes: framed<ColumnsOf<typeof RELEASE_CHANGE_COLUMNS>>(changes), summary };
}

/**
 * Rows of either of two frames by their keys: `before`, `after`, `change`, `move` (after minus before).
 *
 * @param name Name of the score
 * @param keys Types of the keys
 */
export function comparedRows(
  before: DataFrame,
  after: DataFrame,
  name: string,
  keys: Readonly<Record<string, DataType>>,
): DataFrame {
  const [left, right] = ([["before", before], ["after", after]] as const).map(([as, frame]) =>
    frame.select(
      ...Object.entries(keys).map(([key, type]) => pl.col(key).cast(type)),
      // A missing value of pandas is NaN.
      pl.col(name).fillNan(pl.lit(null)).alias(as),
      pl.lit(true).alias(`in_${as}`),
    ).lazy()
  );
  return left!.join(right!, { on: Object.keys(keys), how: "full", coalesce: true })
    .withColumns(changeOf().alias("change"), pl.col("after").minus(pl.col("before")).alias("move"))
    .collectSync();
}

/** Refuses scores of two factors. */
export function refuseTwoFactors(what: string, first: string, second: string): void {
  if (first === second) return;
  throw new TypeError(
    `Cannot compare ${what}: expected two frames of one factor, got ${first} and ${second}`,
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

/**
 * Summary of changes: a row for each kind, also of one that did not occur.
 *
 * @param counts How rows are counted
 */
export function summaryOf<Table extends ColumnTable>(
  all: DataFrame,
  table: Table,
  counts: readonly Expr[],
): TypedFrame<ColumnsOf<Table>> {
  const sizes = ["move", "rank_shift"].filter((name) => all.columns.includes(name))
    .flatMap((name) => [
      pl.col(name).abs().mean().alias(`mean_abs_${name}`),
      pl.col(name).abs().max().alias(`max_abs_${name}`),
    ]);
  const found = all.lazy().groupBy(["change"]).agg(...counts, ...sizes).collectSync();
  const names = counts.map((_, i) => found.columns[i + 1]!);
  const columns = Object.entries(table).slice(1).map(([name, kind]) => {
    const count = pl.col(name).fillNull(0).cast(kind === "count" ? pl.Int32 : pl.Float64);
    return names.includes(name) ? count : pl.col(name);
  });
  return framed(
    pl.DataFrame([pl.Series("change", [...SCORE_CHANGES], pl.Utf8)])
      .join(found, { on: "change", how: "left" }).select("change", ...columns),
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
