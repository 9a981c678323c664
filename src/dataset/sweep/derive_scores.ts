import pl, { type DataFrame } from "nodejs-polars";
import { readDays, readNumbers } from "../../analysis/table/read_columns.ts";
import { dayColumn, numberColumn } from "../../analysis/table/make_columns.ts";
import { deviationOf, meanOf } from "../../analysis/inference/moments.ts";
import type { Variant, VariantTransform } from "./variant.ts";

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
    const rows = inUniverse(scores.get(factor)!, variant.universe).sort(["date", "ticker"]);
    const days = readDays(ACTION, rows, "date");
    const values = transformed(days, readNumbers(ACTION, rows, "score"), variant.transform);
    const frame = pl.DataFrame([
      dayColumn("date", lagged(days, { lag: variant.lag, sessions, placeOf })),
      rows.getColumn("ticker").rename("ticker"),
      numberColumn(`score_${i}`, values),
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
  const texts = rows.withColumns(pl.col("ticker").cast(pl.Utf8));
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

function transformed(
  days: Int32Array,
  scores: Float64Array,
  transform: VariantTransform,
): Float64Array {
  if (transform === "none") return scores;
  const result = new Float64Array(scores.length);
  for (let from = 0; from < days.length;) {
    let to = from + 1;
    while (to < days.length && days[to] === days[from]) to++;
    const session = scores.subarray(from, to);
    result.set(transform === "rank" ? centredRanks(session) : zScores(session), from);
    from = to;
  }
  return result;
}

/** Average ranks of the scored, (R − (n + 1) / 2) / n. */
function centredRanks(scores: Float64Array): Float64Array {
  const order = Array.from(scores, (_, i) => i).filter((i) => scores[i] === scores[i])
    .sort((a, b) => scores[a]! - scores[b]!);
  const ranks = new Float64Array(scores.length).fill(NaN);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && scores[order[to]!] === scores[order[from]!]) to++;
    const average = (from + 1 + to) / 2;
    for (const i of order.slice(from, to)) {
      ranks[i] = (average - (order.length + 1) / 2) / order.length;
    }
    from = to;
  }
  return ranks;
}

/** Scores less their mean, over their deviation; none where all are equal. */
function zScores(scores: Float64Array): Float64Array {
  const known = scores.filter((value) => value === value);
  const [mean, deviation] = known.length === 0 ? [NaN, NaN] : [meanOf(known), deviationOf(known)];
  return scores.map((value) => (value - mean) / (deviation || NaN));
}
