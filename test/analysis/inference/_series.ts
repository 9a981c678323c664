import type { MeanSeries } from "../../../src/analysis/inference/tested_mean.ts";

/** Values of neighbouring sessions. */
export function daily(values: readonly number[], horizon = 1): MeanSeries {
  return {
    values: Float64Array.from(values),
    places: Int32Array.from(values, (_, i) => i),
    horizon,
  };
}
