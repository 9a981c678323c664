import { oneSessionSignals } from "../../../src/analysis/cross_section/correlation/information_coefficient.ts";
import { rankIc } from "../../../src/analysis/dense/rank/rank_correlation.ts";
import { studentTwoSided } from "../../../src/analysis/inference/distributions.ts";
import type { MeanSeries } from "../../../src/analysis/inference/tested_mean.ts";
import { testMean } from "../../../src/analysis/inference/test_mean.ts";
import { makeNoiseWorld, type NoiseWorld, returnsOver } from "./noise_world.ts";

/** The horizons at which the size of the tests is measured. */
export const HORIZONS = [1, 5, 21] as const;

/** How a p value is found from the daily ICs of a horizon, or from those of the one-session form. */
export const TESTS: Readonly<Record<string, (ics: SeriesOfWorld) => number | null>> = {
  "ewc (the default)": ({ horizon }) => testMean(horizon).p,
  "one-session form, ewc": ({ oneSession }) => testMean(oneSession).p,
  "naive t": ({ horizon }) => naiveP(horizon),
  "every h-th value, t": ({ horizon }) => naiveP(everyHth(horizon)),
  "newey-west h - 1, normal": ({ horizon }) =>
    testMean(horizon, { method: "newey-west", criticalValues: "normal" }).p,
  "newey-west h - 1, fixed-b": ({ horizon }) => testMean(horizon, { method: "newey-west" }).p,
  "hansen-hodrick": ({ horizon }) => testMean(horizon, { method: "hansen-hodrick" }).p,
};

/** Daily ICs of a world at one horizon, in both forms. */
export interface SeriesOfWorld {
  readonly horizon: MeanSeries;
  readonly oneSession: MeanSeries;
}

/** Rejections at 5% of one test at one horizon, and worlds in which it could be made. */
export interface Rejections {
  readonly test: string;
  readonly horizon: number;
  readonly rejected: number;
  readonly worlds: number;
}

/**
 * Counts how often tests reject at 5% in worlds where nothing is to be found.
 *
 * @param seeds First seed, and one more than the last
 * @param tests Names of the tests
 * @param makeWorld The world of a seed, made without a relation
 */
export function countRejections(
  [from, to]: readonly [number, number],
  tests: readonly string[] = Object.keys(TESTS),
  makeWorld: (seed: number) => NoiseWorld = makeNoiseWorld,
): readonly Rejections[] {
  const counts = tests.flatMap((test) =>
    HORIZONS.map((horizon) => ({ test, horizon, rejected: 0, worlds: 0 }))
  );
  const needsOneSession = tests.some((test) => test.startsWith("one-session"));
  for (let seed = from; seed < to; seed++) {
    const series = seriesOf(makeWorld(seed), needsOneSession);
    for (const count of counts) {
      const p = TESTS[count.test]!(series.get(count.horizon)!);
      if (p === null) continue;
      count.worlds++;
      if (p < 0.05) count.rejected++;
    }
  }
  return counts;
}

function seriesOf(world: NoiseWorld, needsOneSession: boolean): Map<number, SeriesOfWorld> {
  const { names: width, sessions, scores } = world;
  const dense = denseOf(world);
  const returns = HORIZONS.map((horizon) => returnsOver(world, horizon));
  const span = [0, sessions] as const;
  const correlate = (of: Float64Array, with_: readonly Float64Array[]) =>
    rankIc({ scores: of, returns: with_, span, width, minNames: 10 });
  const places = Int32Array.from({ length: sessions }, (_, d) => d);
  const found = correlate(scores, returns);
  return new Map(HORIZONS.map((horizon, k) => {
    const values = found[k]!.values;
    const oneSession = needsOneSession && horizon > 1
      ? correlate(oneSessionSignals(dense, [horizon], 10)[0]!, [returns[0]!])[0]!.values
      : found[0]!.values;
    return [horizon, {
      horizon: { values, places, horizon },
      oneSession: { values: oneSession, places, horizon: 1 },
    }];
  }));
}

function denseOf({ names, sessions, scores }: NoiseWorld) {
  return {
    days: Int32Array.from({ length: sessions }, (_, d) => d),
    tickers: Array.from({ length: names }, (_, i) => `T${i}`),
    from: 0,
    to: sessions,
    present: new Uint8Array(scores.length).fill(1),
    scores,
    periods: [...HORIZONS],
    returns: new Map<number, Float64Array>(),
    groups: null,
    ages: null,
  };
}

/** Student's t of a mean as if its values did not depend on each other. */
function naiveP({ values }: MeanSeries): number {
  const x = values.filter((value) => !Number.isNaN(value));
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (x.length - 1);
  return studentTwoSided(mean / Math.sqrt(variance / x.length), x.length - 1);
}

function everyHth({ values, places, horizon }: MeanSeries): MeanSeries {
  return { places, horizon, values: values.filter((_, i) => i % horizon === 0) };
}
