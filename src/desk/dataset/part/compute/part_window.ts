import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { placeFrom } from "../../../../analysis/dense/days.ts";
import { DAY_MS } from "../../../../base/calendar/civil_date.ts";
import { newYorkMs } from "../../../../base/calendar/new_york.ts";
import type { AnalysisPlan } from "../../../../analysis/factor/analysis_options.ts";
import { SESSIONS_OF_QUARTER } from "../../../../base/statistics/moments.ts";
import { KNOWN_COLUMNS } from "../../../../analysis/table/score_columns.ts";
import type { ForwardReturnsOptions } from "../../../../analysis/aligned/prices/forward_returns.ts";
import type { DaySpan } from "../part_tables.ts";

/** The margin of a part: earlier sessions for ages and overlapping windows, later ones for returns. */
export function marginOf(
  { periods, lags }: AnalysisPlan,
  { entryLag = 0 }: Pick<ForwardReturnsOptions, "entryLag">,
): { readonly before: number; readonly after: number } {
  const longest = Math.max(...periods);
  return {
    // The last bin of ages is open from a quarter on; older sets are aged by the calendar.
    before: Math.max(longest, SESSIONS_OF_QUARTER),
    after: entryLag + Math.max(longest, ...lags),
  };
}

/**
 * Finds the rows that a part needs, in days since 1970-01-01.
 *
 * @param sessions The sessions of the prices, ascending: those of the part and of its margin
 * @returns Days of the prices to read, whose dates are sessions, and of the scores; live sets also need the last set before
 */
export function windowOf(
  sessions: Int32Array,
  own: DaySpan,
  of: { readonly margin: ReturnType<typeof marginOf>; readonly plan: AnalysisPlan },
): Readonly<Record<"prices" | "scores", DaySpan>> {
  const { margin, plan: { align: { delayMs = 0 } } } = of;
  const placeOf = (day: number) => placeFrom(sessions, day);
  // A score enters at the session after its own, or later by its delay.
  const early = sessions[placeOf(own.from) - margin.before - 2] ?? -Infinity;
  const first = placeOf(early - Math.ceil(delayMs / DAY_MS)) - 1;
  const last = placeOf(own.to + 1) + margin.after + 1;
  const from = sessions[first] ?? -Infinity;
  return { prices: { from, to: sessions[last] ?? Infinity }, scores: { from, to: own.to } };
}

/** Rows with a date in a span; from a lazy frame only these are read. */
export function cropDates(rows: LazyDataFrame, { from, to }: DaySpan): LazyDataFrame {
  const day = pl.col("date").cast(pl.Date).cast(pl.Int32).cast(pl.Float64);
  return rows.filter(day.gtEq(pl.lit(from)).and(day.ltEq(pl.lit(to))));
}

/**
 * Rows of the live sets of a window by the instant at which they were known, with the last set before it, which stays in
 * force until the next one.
 *
 * @returns The rows, and `true` if no earlier set can be in force in the window
 */
export function cropSets(
  scores: DataFrame,
  { scores: { from, to } }: ReturnType<typeof windowOf>,
  { align: { statuses } }: AnalysisPlan,
): { readonly rows: DataFrame; readonly isWhole: boolean } {
  const known = KNOWN_COLUMNS.find((name) => scores.columns.includes(name))!;
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
