import pl, { type DataFrame } from "nodejs-polars";
import { specificationCurve } from "../../../src/analysis/mod.ts";
import { makeNoiseWorld, type NoiseWorld } from "./noise_world.ts";

/** Specification curves whose joint test rejects at 5%, by statistic. */
export interface CurveRejections {
  readonly worlds: number;
  readonly median: number;
  readonly significant: number;
  readonly mean: number;
  /** Curves with one specification at least that is significant on its own. */
  readonly any: number;
}

const LEVEL = 0.05;
const DAY_MS = 86_400_000;
const NONE: CurveRejections = { worlds: 0, median: 0, significant: 0, mean: 0, any: 0 };

/**
 * Counts rejections in curves of 54 specifications (horizons 1, 5 and 21; ranks and values; three winsorisations, three
 * bucketings) over worlds without a relation, from the first seed to one before the last.
 */
export async function countCurves([from, to]: readonly [number, number]): Promise<CurveRejections> {
  let counts = NONE;
  for (let seed = from; seed < to; seed++) {
    const { scores, prices } = framesOf(makeNoiseWorld(seed));
    const { tables: { summary } } = await specificationCurve(scores, prices, {
      calendar: "own",
      seed,
    });
    const [found] = summary.toRecords();
    const rejects = (name: "p_median" | "p_significant" | "p_mean") =>
      found![name]! <= LEVEL ? 1 : 0;
    counts = {
      worlds: counts.worlds + 1,
      median: counts.median + rejects("p_median"),
      significant: counts.significant + rejects("p_significant"),
      mean: counts.mean + rejects("p_mean"),
      any: counts.any + (found!.significant! > 0 ? 1 : 0),
    };
  }
  return counts;
}

function framesOf({ names, sessions, scores, logCloses }: NoiseWorld) {
  const days = Array.from(
    { length: sessions },
    (_, d) => new Date(Date.UTC(2024, 0, 1) + (7 * Math.floor(d / 5) + d % 5) * DAY_MS),
  );
  const cells = Array.from({ length: names * sessions }, (_, cell) => cell);
  const keys = [
    pl.Series("date", cells.map((cell) => days[Math.floor(cell / names)]!), pl.Date),
    pl.Series("ticker", cells.map((cell) => `T${cell % names}`), pl.Utf8),
  ];
  const frame = (name: string, values: readonly (number | null)[]): DataFrame =>
    pl.DataFrame([...keys, pl.Series(name, [...values], pl.Float64)]);
  return {
    scores: frame("score", Array.from(scores, (score) => isNaN(score) ? null : score)),
    prices: frame("close", Array.from(logCloses, (log) => 100 * Math.exp(log))),
  };
}
