import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../../base/calendar/civil_date.ts";
import { placeRows } from "../../../../analysis/aligned/sessions/place_rows.ts";
import {
  forwardReturns,
  type ForwardReturnsOptions,
} from "../../../../analysis/aligned/prices/forward_returns.ts";
import { readScoreRows } from "../../../../analysis/aligned/scores/score_rows.ts";
import type { AnalysisPlan } from "../../../../analysis/factor/analysis_options.ts";
import { dayColumn, numberColumn } from "../../../../frames/frame/typed/make_columns.ts";
import type { PlacedScores } from "./part_book.ts";

const TIMES = ["date", "at", "last_checked_at", "calculated_at", "status"];

/**
 * Finds the sessions in which scores are in force; `null` if there are none. Uses only the times of scores, and if any row of
 * a time has a score.
 *
 * @param scores Rows with the time columns of the scores; rows with a null `score` have none, a missing column means all have
 * @param sessions The sessions, ascending, in days since 1970-01-01
 */
export function placeSample(
  scores: DataFrame,
  sessions: Int32Array,
  of: { readonly plan: AnalysisPlan; readonly returns: Omit<ForwardReturnsOptions, "periods"> },
): PlacedScores | null {
  if (sessions.length === 0 || scores.height === 0) return null;
  const price = of.returns.price ?? "close";
  const prices = pl.DataFrame([
    dayColumn("date", sessions),
    pl.Series("ticker", Array.from(sessions, () => "x"), pl.Utf8),
    numberColumn(price, new Float64Array(sessions.length).fill(1)),
  ]);
  const returns = forwardReturns(prices, {
    periods: [1],
    price,
    still: true,
    sessions: [...sessions].map(fromEpochDay),
  });
  const { groups: _, score: __, ...rules } = of.plan.align;
  const rows = readScoreRows(timesOf(scores), { score: "score" });
  const { places, refused } = placeRows(rows, returns, { ...rules, entry: rules.entry ?? "next" });
  let [from, to] = [Infinity, 0];
  const signals = new Set<number>();
  for (const [row, time] of rows.timeOf.entries()) {
    if (places.fates[time] !== null || (refused?.[row] ?? 0) !== 0) continue;
    from = Math.min(from, places.from[time]!);
    to = Math.max(to, places.to[time]!);
    if (!Number.isNaN(rows.scores[row]!)) signals.add(sessions[places.from[time]!]!);
  }
  return from >= to ? null : {
    from: sessions[from]!,
    to: sessions[to - 1]!,
    signals: Int32Array.from(signals).sort(),
    livesOn: rows.kind === "date",
  };
}

/** At most two rows per time: one with a score, and one without. */
function timesOf(scores: DataFrame): DataFrame {
  const names = TIMES.filter((name) => scores.columns.includes(name));
  const score = scores.columns.includes("score")
    ? pl.col("score").mul(pl.lit(0)).cast(pl.Float64)
    : pl.lit(0).cast(pl.Float64);
  return scores.select(...names, score.alias("score")).unique()
    .withColumns(pl.lit("x").alias("ticker"));
}
