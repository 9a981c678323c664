import { countBins } from "../../grammar/count_bins.ts";
import type { Row } from "../../grammar/values.ts";
import { quantileOf } from "./aggregate_rows.ts";
import type { PlotColumn } from "../plot_columns.ts";
import { seriesOf } from "./thin_rows.ts";

const TAIL = 0.005;
// An outlier beyond this multiple of the middle 99% would squeeze all other values into one bar.
const FAR = 5;

/** Bins with their counts by part: `from`, `to`, `rows`; and the values that lie outside. */
export interface Histogram {
  readonly rows: readonly Row[];
  /** Ends of the bins, where values lie outside of them. */
  readonly clipped: readonly [number, number] | null;
  readonly outside: number;
}

/**
 * Counts a column in bins of equal width, on a logarithmic axis of equal ratio. Where outliers would squeeze all others into one bin,
 * only the middle 99% are binned.
 */
export function histogramRows(
  places: readonly number[],
  { x, parts, bins = 40, isLog, isCut }: {
    readonly x: PlotColumn;
    readonly parts: readonly PlotColumn[];
    readonly bins: number | undefined;
    readonly isLog: boolean;
    /** True if the caller gave the ends of the axis. */
    readonly isCut: boolean;
  },
): Histogram {
  const at = (place: number) =>
    isLog ? Math.log10(Number(x.values[place])) : Number(x.values[place]);
  const sorted = places.map(at).toSorted((a, b) => a - b);
  const ends = isCut ? null : tails(sorted);
  const inside = ends === null ? places : places.filter((place) => within(at(place), ends));
  const edges = countBins(inside.map(at), bins);
  const back = (value: number) => Number((isLog ? 10 ** value : value).toPrecision(9));
  const width = edges[0] === undefined ? 1 : edges[0].high - edges[0].low;
  const rows = seriesOf(inside, parts).flatMap((own) => {
    const counts = new Array<number>(edges.length).fill(0);
    for (const place of own) {
      const bin = Math.floor((at(place) - edges[0]!.low) / width + 1e-9);
      counts[Math.max(0, Math.min(edges.length - 1, bin))]!++;
    }
    const part = Object.fromEntries(parts.map(({ field, values }) => [field, values[own[0]!]!]));
    return edges.map(({ low, high }, i) => ({
      ...part,
      from: back(low),
      to: back(high),
      rows: counts[i]!,
    }));
  });
  const outside = places.length - inside.length;
  const clipped = ends === null ? null : [back(ends[0]), back(ends[1])] as const;
  return { rows, clipped, outside };
}

function within(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}

function tails(sorted: readonly number[]): readonly [number, number] | null {
  if (sorted.length === 0) return null;
  const [low, high] = [quantileOf(sorted, TAIL)!, quantileOf(sorted, 1 - TAIL)!];
  const isFar = sorted.at(-1)! - sorted[0]! > FAR * (high - low) && high > low;
  return isFar ? [low, high] : null;
}
