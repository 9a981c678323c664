import { stationaryDraws } from "../inference/method/stationary_bootstrap.ts";
import { blockLengthOf, type BootstrapOptions } from "../inference/method/test_by_bootstrap.ts";
import { demean, meanOf } from "../inference/moments.ts";
import { type MeanSeries, toObservations } from "../inference/observations.ts";

/**
 * Patton and Timmermann's (2010) p value of a rising pattern: the share of bootstrap draws, all steps drawn together
 * and about their means, whose smallest step is at least the one found.
 *
 * @param steps The differences between neighbouring buckets, over the same sessions and without nulls
 */
export function smallestStepP(steps: readonly MeanSeries[], options: BootstrapOptions): number {
  const block = options.block ??
    Math.max(...steps.map((one) => blockLengthOf(toObservations(one))));
  const { draws = 999, seed = 1 } = options;
  const found = Math.min(...steps.map(({ values }) => meanOf(values)));
  const centred = steps.map(({ values }) => demean(values));
  const n = centred[0]!.length;
  let above = 0;
  for (const places of stationaryDraws({ n, block, draws, seed })) {
    const smallest = Math.min(...centred.map((values) => {
      let sum = 0;
      for (let t = 0; t < n; t++) sum += values[places[t]!]!;
      return sum / n;
    }));
    if (smallest >= found) above++;
  }
  return (1 + above) / (draws + 1);
}
