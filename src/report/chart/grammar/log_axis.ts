import type { ChartSpec } from "../chart_spec.ts";
import { roundWidth } from "./count_bins.ts";
import { quantity } from "./encodings.ts";

const MOST_TICKS = 6;
// Up to this ratio, equal steps have nearly equal heights on a logarithmic axis.
const NARROW = 3;
// Two significant digits without an exponent, even after a fall to a thousandth.
const LABEL =
  "format(datum.value, datum.value >= 10 ? ',.0f' : datum.value >= 0.1 ? '.2f' : '.2~r')";

/** Axis of growth of 1: logarithmic, on which equal steps are equal rates, or linear if it reaches zero, which has no logarithm. */
export function growthAxis(field: string, name: string, values: readonly unknown[]): ChartSpec {
  let [low, high] = [1, 1];
  for (const value of values) {
    if (typeof value !== "number" || Number.isNaN(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low <= 0) return quantity(field, { title: `${name}, linear scale` });
  return {
    field,
    type: "quantitative",
    title: `${name}, log scale`,
    scale: { type: "log", nice: false, padding: 6 },
    axis: logAxis(low, high),
  };
}

/**
 * Logarithmic axis with ticks at round numbers including 1, far enough apart for every label: steps of equal size over a
 * narrow range, 1, 2 and 5 over some powers of ten, powers of ten over many.
 */
function logAxis(low: number, high: number): ChartSpec {
  if (high / low < NARROW) {
    const step = roundWidth((high - low) / MOST_TICKS);
    const first = Math.ceil(low / step);
    const count = Math.max(0, Math.floor(high / step) - first + 1);
    const decimals = Math.max(2, -Math.floor(Math.log10(step)));
    const values = Array.from({ length: count }, (_, i) => Number(((first + i) * step).toFixed(9)));
    return { values, format: `.${decimals}f` };
  }
  const [first, last] = [Math.floor(Math.log10(low)), Math.floor(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  // Within one power of ten, 1, 2 and 5 give too few ticks.
  const digits = powers.length > 4 ? [1] : high / low < 12 ? [1, 1.5, 2, 3, 5, 7] : [1, 2, 5];
  const every = Math.ceil(powers.length / (2 * MOST_TICKS));
  const values = powers.filter((power) => power % every === 0)
    .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
    .filter((value) => value >= low && value <= high);
  return { values, labelExpr: LABEL };
}
