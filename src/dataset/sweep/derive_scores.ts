import pl, { type DataFrame } from "nodejs-polars";
import { type Transform, transformColumn } from "../../analysis/cross_section/transform_column.ts";
import { toDense } from "../../analysis/dense/from_data_frame.ts";
import { toDataFrame } from "../../analysis/dense/to_data_frame.ts";
import { readDays, readNumbers } from "../../analysis/table/read_columns.ts";
import { dayColumn, numberColumn } from "../../analysis/table/make_columns.ts";
import type { Variant } from "./variant.ts";

const ACTION = "make the scores of a variant";
// Stands for the day of a score that would be used after the last session.
const AFTER_ALL = -(2 ** 31);

/**
 * The scores of a variant: `date`, `ticker`, `score`, sorted. A session's scores are made of that session alone (of one some
 * sessions before it, with a lag), so that they are the same whatever other sessions are there.
 *
 * @param scores `date`, `ticker`, `score` of each factor that the variant is made of
 * @param sessions All sessions, ascending, in days since 1970-01-01
 */
export function deriveScores(
  variant: Variant,
  scores: ReadonlyMap<string, DataFrame>,
  sessions: Int32Array,
): DataFrame {
  const placeOf = new Map([...sessions].map((day, place) => [day, place]));
  const columns = Object.keys(variant.weights).map((factor, i) => {
    const given = inUniverse(scores.get(factor)!, variant.universe);
    const rows = transformed(given, variant.transform);
    const days = readDays(ACTION, rows, "date");
    const frame = pl.DataFrame([
      dayColumn("date", lagged(days, { lag: variant.lag, sessions, placeOf })),
      rows.getColumn("ticker").rename("ticker"),
      rows.getColumn("score").rename(`score_${i}`),
    ]);
    return frame.filter(pl.col("date").cast(pl.Int32).gt(pl.lit(AFTER_ALL)));
  });
  const joined = columns.reduce((all, next) => all.join(next, { on: ["date", "ticker"] }))
    .sort(["date", "ticker"]);
  const weights = Object.values(variant.weights);
  const parts = weights.map((_, i) => readNumbers(ACTION, joined, `score_${i}`));
  const score = parts[0]!.map((_, row) =>
    weights.reduce((sum, weight, i) => sum + weight * parts[i]![row]!, 0)
  );
  return pl.DataFrame([
    joined.getColumn("date"),
    joined.getColumn("ticker"),
    numberColumn("score", score),
  ]);
}

function inUniverse(rows: DataFrame, universe: readonly string[] | null): DataFrame {
  const texts = rows.select("date", "ticker", "score").withColumns(pl.col("ticker").cast(pl.Utf8));
  return universe === null ? texts : texts.filter(pl.col("ticker").isIn([...universe]));
}

interface Lagging {
  readonly lag: number;
  readonly sessions: Int32Array;
  readonly placeOf: ReadonlyMap<number, number>;
}

/** The day of each row some sessions later; no day after the last one. A date that is no session stays, to be counted as lost. */
function lagged(days: Int32Array, { lag, sessions, placeOf }: Lagging): Int32Array {
  return days.map((day) => {
    const place = placeOf.get(day);
    return place === undefined ? day : sessions[place + lag] ?? AFTER_ALL;
  });
}

function transformed(rows: DataFrame, transform: Transform): DataFrame {
  if (transform === "none") return rows;
  const dense = toDense(ACTION, rows.rename({ date: "session" }));
  const scores = transformColumn(dense, dense.scores, transform);
  return toDataFrame({ ...dense, scores }).rename({ session: "date" });
}
