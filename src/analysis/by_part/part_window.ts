import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { newYorkMs } from "../../calendar/new_york.ts";
import type { AnalysisPlan } from "../factor/analysis_options.ts";
import type { PartMargin } from "./part_margin.ts";
import type { DaySpan } from "./part_tables.ts";

/** Which rows a part is computed from. */
export interface PartWindow {
  /** The days of the prices that are read; every date of them is a session. */
  readonly prices: DaySpan;
  /** The days of the scores that are read; of live sets also the last one before. */
  readonly scores: DaySpan;
}

const DAY_MINUTES = 24 * 60;
const KNOWN = ["at", "last_checked_at", "calculated_at"];

/**
 * The rows that a part needs, in days since 1970-01-01.
 *
 * @param sessions The sessions of the prices, ascending: those of the part, and as many beside them as the margin asks for
 */
export function windowOf(
  sessions: Int32Array,
  own: DaySpan,
  of: { readonly margin: PartMargin; readonly plan: AnalysisPlan },
): PartWindow {
  const { margin, plan: { align: { delayMinutes = 0 } } } = of;
  const placeOf = (day: number) => {
    const place = sessions.findIndex((session) => session >= day);
    return place === -1 ? sessions.length : place;
  };
  // A score of one session belongs to the next one, or later by its delay.
  const early = sessions[placeOf(own.from) - margin.before - 2] ?? -Infinity;
  const first = placeOf(early - Math.ceil(delayMinutes / DAY_MINUTES)) - 1;
  const last = placeOf(own.to + 1) + margin.after + 1;
  const from = sessions[first] ?? -Infinity;
  return {
    prices: { from, to: sessions[last] ?? Infinity },
    scores: { from, to: own.to },
  };
}

/** The rows whose date is in a span; of rows that are still in a file, no others are read. */
export function cropDates(rows: LazyDataFrame, { from, to }: DaySpan): LazyDataFrame {
  return rows.filter(between(pl.col("date").cast(pl.Date).cast(pl.Int32), from, to));
}

/**
 * The rows of live sets of a window, by the instant at which they were known, with the last set before it, which is in force
 * until another one is.
 *
 * @returns The rows, and whether nothing earlier can be in force in the window
 */
export function cropSets(
  scores: DataFrame,
  { scores: { from, to } }: PartWindow,
  { align: { statuses } }: AnalysisPlan,
): { readonly rows: DataFrame; readonly isWhole: boolean } {
  const known = KNOWN.find((name) => scores.columns.includes(name))!;
  const at = pl.col(known).cast(pl.Datetime("ms", "UTC")).cast(pl.Int64).cast(pl.Float64);
  const [start, end] = [atMidnight(from), atMidnight(to + 1)];
  const counted = statuses === undefined
    ? scores
    : scores.filter(pl.col("status").cast(pl.Utf8).isIn([...statuses]));
  const before = counted.select(at.alias("at")).filter(pl.col("at").lt(pl.lit(start)))
    .select(pl.col("at").max()).row(0)[0] as number | null | undefined;
  const first = start === -Infinity ? start : before ?? start;
  return {
    rows: scores.filter(at.gtEq(pl.lit(first)).and(at.lt(pl.lit(end)))),
    isWhole: start === -Infinity || typeof before === "number",
  };
}

function atMidnight(day: number): number {
  return Number.isFinite(day) ? newYorkMs(day, 0) : day;
}

function between(day: Expr, from: number, to: number): Expr {
  const value = day.cast(pl.Float64);
  return value.gtEq(pl.lit(from)).and(value.ltEq(pl.lit(to)));
}
