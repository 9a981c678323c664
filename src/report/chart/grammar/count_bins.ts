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
