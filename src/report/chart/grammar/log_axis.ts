import type { ChartSpec } from "../chart_spec.ts";
import { roundWidth } from "./count_bins.ts";
import { quantity } from "./encodings.ts";

/** Least and largest value of lines of growth, 1 at their start included. */
export interface GrowthRange {
  readonly low: number;
  readonly high: number;
}

const MOST_TICKS = 6;
// Up to this ratio, equal steps have nearly equal heights on a logarithmic axis.
const NARROW = 3;
// Two significant digits without an exponent, even after a fall to a thousandth.
const LABEL =
  "format(datum.value, datum.value >= 10 ? ',.0f' : datum.value >= 0.1 ? '.2f' : '.2~r')";

const LABEL_PX = 10;

/** Range of an axis of growth. */
export function growthRange(values: readonly unknown[]): GrowthRange {
  let [low, high] = [1, 1];
  for (const value of values) {
    if (typeof value !== "number" || Number.isNaN(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return { low, high };
}

/** Axis of growth of 1: logarithmic, on which equal steps are equal rates, or linear if it reaches zero, which has no logarithm. */
export function growthAxis(field: string, name: string, { low, high }: GrowthRange): ChartSpec {
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

/** A line that ends at a value. */
interface LineEnd {
  readonly label: string;
  readonly value: number;
}

/** Ascending places of labels, moved up from the lowest, then down from the top, until they are a gap apart and the highest is within. */
function moveApart(places: readonly number[], gap: number, top: number): readonly number[] {
  const moved = [...places];
  for (let i = 1; i < moved.length; i++) moved[i] = Math.max(moved[i]!, moved[i - 1]! + gap);
  let ceiling = top;
  for (let i = moved.length - 1; i >= 0; i--) {
    moved[i] = Math.min(moved[i]!, ceiling);
    ceiling = moved[i]! - gap;
  }
  return moved;
}

/** Positions of labels at the ends of lines on an axis of growth: at the values, moved apart where they would overlap. */
export function placeLabels(
  ends: readonly LineEnd[],
  { low, high, heightPx }: GrowthRange & { readonly heightPx: number },
): readonly (LineEnd & { readonly at: number })[] {
  const [scaled, value] = low > 0 ? [Math.log, Math.exp] : [(x: number) => x, (x: number) => x];
  const perPixel = (scaled(high) - scaled(low)) / heightPx;
  const sorted = ends.toSorted((a, b) => a.value - b.value);
  if (!(perPixel > 0)) return sorted.map((end) => ({ ...end, at: end.value }));
  const places = sorted.map((end) => (scaled(end.value) - scaled(low)) / perPixel);
  return moveApart(places, LABEL_PX, heightPx)
    .map((place, i) => ({ ...sorted[i]!, at: value(scaled(low) + place * perPixel) }));
}
