import { stationaryBlockLength } from "./block_length.ts";
import { isTooShort, type TestedMean, withoutTest } from "../tested_mean.ts";
import {
  demean,
  deviationOf,
  isConstant,
  quantileOfSorted,
  UPPER_END,
} from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { stationaryDraws } from "./stationary_bootstrap.ts";

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
