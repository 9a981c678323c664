import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import type { TestedMean } from "../inference/tested_mean.ts";

/** The mean with the plain standard error, NaN left out: right only for values that do not overlap. */
export function plainError(
  values: Float64Array,
): Pick<TestedMean, "mean" | "standardError" | "t" | "df" | "p" | "low" | "high" | "n" | "reason"> {
  const known = values.filter((value) => !Number.isNaN(value));
  const deviation = deviationOf(known);
  return {
    mean: known.length === 0 ? null : meanOf(known),
    standardError: deviation === null ? null : deviation / Math.sqrt(known.length),
    t: null,
    df: null,
    p: null,
    low: null,
    high: null,
    n: known.length,
    reason: null,
  };
}
