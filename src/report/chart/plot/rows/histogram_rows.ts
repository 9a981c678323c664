import { clipTails, countBins } from "../../grammar/count_bins.ts";
import type { Row } from "../../grammar/values.ts";
import type { PlotColumn } from "../plot_columns.ts";
import { seriesOf } from "./thin_rows.ts";

// An outlier beyond this multiple of the middle 99% would squeeze all other values into one bar.
const FAR = 5;

/** Bins with their counts by part: `from`, `to`, `rows`; and a sentence on the values that lie outside of them. */
export interface Histogram {
  readonly rows: readonly Row[];
  readonly said: readonly string[];
}

/** Counts a column in bins of equal width, on a logarithmic axis of equal ratio. */
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
  const { drawn, said } = clipTails(places.map(at), "row", isCut ? Infinity : FAR);
  const edges = countBins(drawn, bins);
  const back = (value: number) => Number((isLog ? 10 ** value : value).toPrecision(9));
  const [low, width] = [edges[0]!.low, edges[0]!.high - edges[0]!.low];
  const rows = seriesOf(places, parts).flatMap((own) => {
    const counts = new Array<number>(edges.length).fill(0);
    for (const place of own) {
      const bin = Math.floor((at(place) - low) / width + 1e-9);
      if (bin in counts) counts[bin]!++;
    }
    const part = Object.fromEntries(parts.map(({ field, values }) => [field, values[own[0]!]!]));
    return edges.map((edge, i) => ({
      ...part,
      from: back(edge.low),
      to: back(edge.high),
      rows: counts[i]!,
    }));
  });
  return { rows, said };
}
