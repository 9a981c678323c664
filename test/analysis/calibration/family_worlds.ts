import { adjustPValues } from "../../../src/analysis/inference/adjust_p_values.ts";
import { testMean } from "../../../src/analysis/inference/test_mean.ts";
import type { SessionSeries } from "../../../src/analysis/inference/tested_mean.ts";
import { testFamily } from "../../../src/analysis/selection/best_of.ts";
import { normal, seedOf, uniform } from "../../../src/server/world/random.ts";
import { makeNoiseWorld, NOISE_WORLD, returnsOver } from "./noise_world.ts";
import { HORIZONS } from "./rejections.ts";

/** Families of one horizon in which something was found at 5%. */
export interface FamilyRejections {
  readonly horizon: number;
  readonly sessions: number;
  readonly worlds: number;
  /** Families without a relation in which StepM finds one. */
  readonly stepm: number;
  /** The same for Holm's adjustment of the tests of each variant. */
  readonly holm: number;
  /** Families with one related variant in which StepM finds it. */
  readonly stepmFinds: number;
  /** The same for Holm. */
  readonly holmFinds: number;
}

const { names: NAMES } = NOISE_WORLD;
const VARIANTS = 200;
const THEMES = 8;
const QUARTER = 63;
const LEVEL = 0.05;
// Four and a half standard errors of its EWC test: what the best of 200 has to have for a power near one half.
const PLANTED_ERRORS = 4.5;
const OPTIONS = {
  method: "stepm",
  studentize: "ewc",
  isTwoSided: true,
  draws: 999,
  block: undefined,
  level: LEVEL,
} as const;

/**
 * Counts what is found among 200 variants of one signal, from the first seed to one before the last. Scores come with calls a quarter
 * and stay until the next one; they share eight themes, so that their ICs have a mean correlation of about a half.
 */
export function countFamilies(
  [from, to]: readonly [number, number],
  { horizons = HORIZONS, sessions }: {
    readonly horizons?: readonly number[];
    readonly sessions: number;
  },
): readonly FamilyRejections[] {
  const counts = horizons.map((horizon) => ({
    ...{ horizon, sessions },
    ...{ worlds: to - from, stepm: 0, holm: 0, stepmFinds: 0, holmFinds: 0 },
  }));
  for (let seed = from; seed < to; seed++) {
    const world = makeNoiseWorld(seed, { names: NAMES, sessions });
    const scores = variantScores(seed, sessions);
    for (const count of counts) {
      const series = correlate(scores, returnsOver(world, count.horizon), count);
      const without = findings(series, seed);
      count.stepm += without.stepm.length > 0 ? 1 : 0;
      count.holm += without.holm.length > 0 ? 1 : 0;
      const found = findings([plant(series[0]!), ...series.slice(1)], seed);
      count.stepmFinds += found.stepm.includes("0") ? 1 : 0;
      count.holmFinds += found.holm.includes("0") ? 1 : 0;
    }
  }
  return counts;
}

function findings(series: readonly SessionSeries[], seed: number) {
  const variants = series.map((one, k) => ({ variant: String(k), series: one }));
  const { rows } = testFamily({ variants, short: [] }, { ...OPTIONS, seed });
  const holm = adjustPValues(series.map((one) => testMean(one).p), "holm");
  return {
    stepm: rows.flatMap(({ variant, adjusted }) => (adjusted ?? 1) <= LEVEL ? [variant] : []),
    holm: holm.flatMap((p, k) => (p ?? 1) <= LEVEL ? [String(k)] : []),
  };
}

/** The same series with the mean that is planted. */
function plant(series: SessionSeries): SessionSeries {
  const { mean, standardError } = testMean(series);
  const shift = PLANTED_ERRORS * standardError! - mean!;
  // Its own error stays in it.
  return { ...series, values: series.values.map((value) => value + shift + mean!) };
}

/** The score of variant `k` of name `i` in session `d` at `(d * VARIANTS + k) * names + i`, standardised by session. */
function variantScores(seed: number, sessions: number): Float32Array {
  const names = NAMES;
  const own = seedOf(seed, "variants");
  const loads = Float64Array.from(
    { length: VARIANTS * THEMES },
    (_, at) => (at % THEMES === 0 ? 1 : 0.4) * normal(own, -1, at) + (at % THEMES === 0 ? 2 : 0),
  );
  const calls = new Map<string, Float64Array>();
  const all = new Float32Array(sessions * VARIANTS * names);
  for (let d = 0; d < sessions; d++) {
    for (let i = 0; i < names; i++) {
      const phase = Math.floor(QUARTER * uniform(own, -2, i));
      const call = Math.floor((d + phase) / QUARTER);
      const key = `${i} ${call}`;
      let scores = calls.get(key);
      if (scores === undefined) calls.set(key, scores = callScores(own, { i, call, loads }));
      for (let k = 0; k < VARIANTS; k++) all[(d * VARIANTS + k) * names + i] = scores[k]!;
    }
    for (let k = 0; k < VARIANTS; k++) {
      standardise(all.subarray((d * VARIANTS + k) * names, (d * VARIANTS + k + 1) * names));
    }
  }
  return all;
}

function callScores(
  seed: number,
  { i, call, loads }: { readonly i: number; readonly call: number; readonly loads: Float64Array },
): Float64Array {
  const at = (call * NAMES + i) * (THEMES + VARIANTS);
  const themes = Array.from({ length: THEMES }, (_, f) => normal(seed, at + f));
  return Float64Array.from({ length: VARIANTS }, (_, k) => {
    const shared = themes.reduce((sum, theme, f) => sum + theme * loads[k * THEMES + f]!, 0);
    return shared + normal(seed, at + THEMES + k);
  });
}

function standardise(row: Float32Array | Float64Array): void {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < row.length; i++) sum += row[i]!;
  for (let i = 0; i < row.length; i++) {
    row[i] = row[i]! - sum / row.length;
    squares += row[i]! ** 2;
  }
  const size = Math.sqrt(squares);
  for (let i = 0; i < row.length; i++) row[i] = row[i]! / size;
}

/** ICs of every variant: correlations of scores and returns by session. */
function correlate(
  scores: Float32Array,
  returns: Float64Array,
  { horizon, sessions }: { readonly horizon: number; readonly sessions: number },
): readonly SessionSeries[] {
  const names = NAMES;
  const n = sessions - horizon;
  const days = Int32Array.from({ length: n }, (_, d) => d);
  const values = Array.from({ length: VARIANTS }, () => new Float64Array(n));
  for (let d = 0; d < n; d++) {
    const row = returns.slice(d * names, (d + 1) * names);
    standardise(row);
    for (let k = 0; k < VARIANTS; k++) {
      const at = (d * VARIANTS + k) * names;
      let sum = 0;
      for (let i = 0; i < names; i++) sum += scores[at + i]! * row[i]!;
      values[k]![d] = sum;
    }
  }
  const whole = { name: "ic", horizon, group: null, unit: "session", days, places: days };
  return values.map((of) => ({ ...whole, values: of, counts: new Int32Array(n).fill(names) }));
}
