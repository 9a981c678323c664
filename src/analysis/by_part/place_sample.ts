import pl, { type DataFrame } from "nodejs-polars";
import { placeRows } from "../aligned/align.ts";
import { forwardReturns, type ForwardReturnsOptions } from "../aligned/prices/forward_returns.ts";
import { readScoreRows } from "../aligned/score_rows.ts";
import type { AnalysisPlan } from "../factor/analysis_options.ts";
import { dayColumn, numberColumn } from "../table/make_columns.ts";
import type { DaySpan } from "./part_tables.ts";

const TIMES = ["date", "at", "last_checked_at", "calculated_at", "status"];

/**
 * The first and the last session in which scores are in force; `null` if none of them is in any. Only their times count.
 *
 * @param scores Rows with the columns of time of the scores
 * @param sessions The sessions, ascending, in days since 1970-01-01
 */
export function placeSample(
  scores: DataFrame,
  sessions: Int32Array,
  of: { readonly plan: AnalysisPlan; readonly returns: Omit<ForwardReturnsOptions, "periods"> },
): DaySpan | null {
  if (sessions.length === 0 || scores.height === 0) return null;
  const names = TIMES.filter((name) => scores.columns.includes(name));
  const times = scores.select(...names).unique()
    .withColumns(pl.lit("x").alias("ticker"), pl.lit(0).cast(pl.Float64).alias("score"));
  const price = of.returns.price ?? "close";
  const prices = pl.DataFrame([
    dayColumn("date", sessions),
    pl.Series("ticker", Array.from(sessions, () => "x"), pl.Utf8),
    numberColumn(price, new Float64Array(sessions.length).fill(1)),
  ]);
  const returns = forwardReturns(prices, { periods: [1], price });
  const { groups: _, score: __, ...rules } = of.plan.align;
  const rows = readScoreRows(times, "score");
  const { places, refused } = placeRows(rows, returns, { ...rules, entry: rules.entry ?? "next" });
  let [from, to] = [Infinity, 0];
  for (const [row, time] of rows.timeOf.entries()) {
    if (places.fates[time] !== null || refused?.[row] === 1) continue;
    from = Math.min(from, places.from[time]!);
    to = Math.max(to, places.to[time]!);
  }
  return from >= to ? null : { from: sessions[from]!, to: sessions[to - 1]! };
}
