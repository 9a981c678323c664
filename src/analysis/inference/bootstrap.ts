import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import {
  demean,
  deviationOf,
  dot,
  isConstant,
  quantileOfSorted,
  UPPER_END,
} from "../../base/statistics/moments.ts";
import { isTooShort, type Observations, type TestedMean, withoutTest } from "./tested_mean.ts";

/**
 * Draws of the stationary bootstrap (Politis and Romano, 1994): indices of values, in blocks of geometric length that wrap
 * around from the last value to the first. The array is reused from draw to draw.
 */
export function* stationaryDraws(
  { n, block, draws, seed }: Readonly<Record<"n" | "block" | "draws" | "seed", number>>,
): Generator<Int32Array> {
  const random = randomSource(seed);
  const places = new Int32Array(n);
  for (let draw = 0; draw < draws; draw++) {
    let place = 0;
    for (let t = 0; t < n; t++) {
      const isNew = t === 0 || random.uniform() * block < 1;
      place = isNew ? random.below(n) : (place + 1) % n;
      places[t] = place;
    }
    yield places;
  }
}

/** A seeded stream of random numbers. */
export interface RandomSource {
  /** A number from 0 (included) to 1 (excluded). */
  uniform(): number;
  /** A whole number from 0 (included) to `below` (excluded). */
  below(below: number): number;
}

/** A seeded xoroshiro128+ stream, the same on every machine. */
export function randomSource(seed: number): RandomSource {
  const generator = xoroshiro128plus(seed);
  const uniform = () => uniformFloat64(generator);
  return { uniform, below: (below) => Math.floor(uniform() * below) };
}

/**
 * Automatic block length of the stationary bootstrap (Politis and White, 2004, corrected by Patton, Politis and White, 2009),
 * at most a third of the number of values. It can be below 1.
 */
export function stationaryBlockLength(values: Float64Array): number {
  const n = values.length;
  if (n < 3 || isConstant(values)) return 1;
  const covariances = insignificantFrom(demean(values));
  const bandwidth = covariances.length - 1;
  let g = 0;
  let variance = covariances[0]!;
  for (let lag = 1; lag <= bandwidth; lag++) {
    const weight = Math.min(1, 2 * (1 - lag / bandwidth));
    g += 2 * weight * lag * covariances[lag]!;
    variance += 2 * weight * covariances[lag]!;
  }
  const largest = Math.ceil(Math.min(3 * Math.sqrt(n), n / 3));
  return Math.min(Math.cbrt(g ** 2 / variance ** 2 * n), largest);
}

// Autocovariances up to twice the lag after which a run of autocorrelations is insignificant.
function insignificantFrom(x: Float64Array): Float64Array {
  const n = x.length;
  const run = Math.max(5, Math.floor(Math.log10(n)));
  const lags = Math.min(Math.ceil(Math.sqrt(n)) + run, n - 2);
  const bound = 2 * Math.sqrt(Math.log10(n) / n);
  const covariances = new Float64Array(lags + 1);
  // Cumulative sums of squares.
  const squares = new Float64Array(n + 1);
  for (let t = 0; t < n; t++) squares[t + 1] = squares[t]! + x[t]! * x[t]!;
  let small = 0;
  let bandwidth: number | null = null;
  for (let lag = 0; lag <= (bandwidth ?? lags); lag++) {
    if (bandwidth === null && lag >= run && small >= run) {
      bandwidth = Math.min(2 * Math.max(lag - run, 1), lags);
      if (lag > bandwidth) break;
    }
    const product = dot(x.subarray(lag), x.subarray(0, n - lag));
    covariances[lag] = product / n;
    if (bandwidth !== null) continue;
    const size = Math.sqrt((squares[n]! - squares[lag + 1]!) * squares[n - lag - 1]!);
    small = Math.abs(product) < bound * size ? small + 1 : 0;
  }
  return covariances.subarray(0, (bandwidth ?? lags) + 1);
}

/** Options of the bootstrap. */
export interface BootstrapOptions {
  /**
   * Number of draws.
   *
   * @default 999
   */
  readonly draws?: number;
  /**
   * Seed of the draws.
   *
   * @default 1
   */
  readonly seed?: number;
  /**
   * Mean length of a block.
   *
   * @default the automatic block length of Politis and White, at least twice the overlap
   */
  readonly block?: number;
}

/** Mean block length for a series: the automatic one, at least twice the overlap. */
export function blockLengthOf({ values, overlap }: Observations): number {
  return Math.max(stationaryBlockLength(values), 2 * overlap);
}

/**
 * Stationary bootstrap test (Politis and Romano, 1994): percentile interval, and a p value from draws centred at the mean.
 * It is optimistic under overlap: a 95% confidence interval covers the true mean in 80 to 90% of short samples.
 */
export function testByBootstrap(
  observations: Observations,
  options: BootstrapOptions & { readonly against?: number } = {},
): TestedMean {
  const { values, overlap } = observations;
  const { draws = 999, seed = 1, block = blockLengthOf(observations), against = 0 } = options;
  if (isTooShort(observations)) return withoutTest(observations, "bootstrap", "too_few_windows");
  const nothing = withoutTest(observations, "bootstrap", "no_variance");
  const mean = nothing.mean;
  if (mean === null || isConstant(values)) return nothing;
  const shifts = drawShifts(values, { draws, seed, block }).sort();
  const standardError = deviationOf(shifts)!;
  const distance = Math.abs(mean - against);
  const beyond = shifts.reduce((count, shift) => count + (Math.abs(shift) >= distance ? 1 : 0), 0);
  return {
    ...nothing,
    standardError,
    t: (mean - against) / standardError,
    p: (1 + beyond) / (draws + 1),
    low: mean + quantileOfSorted(shifts, 0.025),
    high: mean + quantileOfSorted(shifts, UPPER_END),
    overlap,
    effectiveN: (nothing.deviation! / standardError) ** 2 * (values.length - 1) / values.length,
    detectable: quantileOfSorted(shifts, UPPER_END) + quantileOfSorted(shifts, 0.8),
    reason: null,
    note: `bootstrap of ${draws} draws in blocks of ${block.toFixed(1)}: optimistic, it rejects ` +
      "more often than stated",
  };
}

// Distances of the drawn means from the mean of the sample.
function drawShifts(values: Float64Array, plan: Required<BootstrapOptions>): Float64Array {
  const centred = demean(values);
  const shifts = new Float64Array(plan.draws);
  let draw = 0;
  for (const places of stationaryDraws({ n: values.length, ...plan })) {
    let sum = 0;
    for (let t = 0; t < places.length; t++) sum += centred[places[t]!]!;
    shifts[draw++] = sum / values.length;
  }
  return shifts;
}
