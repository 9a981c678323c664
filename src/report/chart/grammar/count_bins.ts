import { quantileOfSorted } from "../../../base/statistics/moments.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";

// Half a percent at each end.
const TAIL = 0.005;
// Tails that take a smaller share of the axis are drawn.
const MOST_STRETCH = 1.25;

/** A bin of a histogram. */
export interface CountedBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/** Counts of values in at most the given number of bins, of equal and round width. */
export function countBins(values: readonly number[], most: number): readonly CountedBin[] {
  const known = values.filter((value) => Number.isFinite(value));
  if (known.length === 0) return [];
  const least = known.reduce((a, b) => Math.min(a, b));
  const largest = known.reduce((a, b) => Math.max(a, b));
  // A single value has a narrow bar around it.
  if (least === largest) {
    const half = Math.abs(least) / (2 * most) || 0.5 / most;
    return [{ low: least - half, high: least + half, count: known.length }];
  }
  const width = roundWidth((largest - least) / most);
  const first = Math.floor(least / width);
  const count = Math.floor(largest / width) - first + 1;
  const counts = new Array<number>(count).fill(0);
  for (const value of known) counts[Math.floor(value / width) - first]!++;
  const edge = (i: number) => Number(((first + i) * width).toPrecision(10));
  return counts.map((n, i) => ({ low: edge(i), high: edge(i + 1), count: n }));
}

/** The smallest width of 1, 2 or 5 times a power of ten that is not below the given one, so that the edges are round. */
export function roundWidth(least: number): number {
  if (!(least > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * power).find((width) => width >= least * 0.999)!;
}

/**
 * Values between their 0.5% and 99.5% quantiles if the tails would take a fifth of the axis or more, all values
 * otherwise: a single
 * value of 10¹² would leave one bar.
 */
export function clipTails(values: readonly number[], noun: string, mostStretch = MOST_STRETCH) {
  const sorted = Float64Array.from(values).sort();
  const [low = NaN, high = NaN] = [TAIL, 1 - TAIL].map((share) => quantileOfSorted(sorted, share));
  const range = sorted.at(-1)! - sorted[0]!;
  const isStretched = high > low && range > mostStretch * (high - low);
  const drawn = isStretched ? values.filter((value) => value >= low && value <= high) : values;
  const outside = values.length - drawn.length;
  const said = outside === 0 ? [] : [
    `${groupThousands(outside)} of ${countText(values.length, noun)} ` +
    `${outside === 1 ? "lies" : "lie"} beyond the axis`,
  ];
  return { drawn, outside, said };
}
