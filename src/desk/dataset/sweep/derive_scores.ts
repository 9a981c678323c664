import pl, { type DataFrame } from "nodejs-polars";
import { type Transform, transformColumn } from "../../../analysis/transform/transform_column.ts";
import { toDense } from "../../../analysis/dense/from_data_frame.ts";
import { toDataFrame } from "../../../analysis/dense/to_data_frame.ts";
import { readDayColumn, readNumbers, readTexts } from "../../../analysis/table/read_columns.ts";
import { dayColumn, numberColumn } from "../../../frames/frame/typed/make_columns.ts";
import { toEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DatedMember, Variant } from "./variant.ts";

const ACTION = "compute the scores of a variant";
// The day of a score that would be used after the last session.
const AFTER_ALL = -(2 ** 31);

/**
 * Makes the scores of a variant: `date`, `ticker`, `score`, sorted. The scores of a session depend on that session alone (with
 * a lag, on an earlier one), and not on the other sessions in the frame.
 *
 * @param scores `date`, `ticker`, `score` of each factor of the variant
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
    const days = readDayColumn(ACTION, rows, "date");
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

function inUniverse(rows: DataFrame, universe: Variant["universe"]): DataFrame {
  const texts = rows.select("date", "ticker", "score").withColumns(pl.col("ticker").cast(pl.Utf8));
  if (universe === null) return texts;
  const spans = Map.groupBy(universe, ({ ticker }) => ticker);
  const days = readDayColumn(ACTION, texts, "date");
  const { names, codes } = readTexts(ACTION, texts, "ticker");
  const spansOf = names.map((ticker) => (spans.get(ticker) ?? []).map(toSpan));
  const isMember = Array.from(
    days,
    (day, row) => spansOf[codes[row]!]!.some(({ from, to }) => day >= from && day <= to),
  );
  return texts.filter(pl.Series("in", isMember, pl.Bool));
}

function toSpan({ from, to }: DatedMember) {
  return {
    from: from === undefined ? -Infinity : toEpochDay(from),
    to: to === undefined ? Infinity : toEpochDay(to),
  };
}

interface Lagging {
  readonly lag: number;
  readonly sessions: Int32Array;
  readonly placeOf: ReadonlyMap<number, number>;
}

/** The day of each row shifted by some sessions; none after the last one. A date that is no session stays and counts as lost. */
function lagged(days: Int32Array, { lag, sessions, placeOf }: Lagging): Int32Array {
  return days.map((day) => {
    const place = placeOf.get(day);
    return place === undefined ? day : sessions[place + lag] ?? AFTER_ALL;
  });
}

function transformed(rows: DataFrame, transform: Transform): DataFrame {
  // A part of a sample can be empty.
  if (transform === "none" || rows.height === 0) return rows;
  const dense = toDense(ACTION, rows.rename({ date: "session" }));
  const scores = transformColumn(dense, dense.scores, transform);
  return toDataFrame({ ...dense, scores }).rename({ session: "date" });
}
