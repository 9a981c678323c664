import { thinPlaces } from "../grammar/thin_rows.ts";
import type { Value } from "../grammar/values.ts";
import type { PlotColumn } from "./plot_columns.ts";

/** Columns and limits of thinning. */
export interface Thinning {
  readonly x: PlotColumn;
  readonly y: PlotColumn;
  /** Columns that divide the rows into series. */
  readonly parts: readonly PlotColumn[];
  /** Largest number of rows to keep. */
  readonly most: number;
}

/** Rows that are drawn, and those of a block, of which only some are; 1 if all are drawn. */
export interface Thinned {
  readonly kept: readonly number[];
  readonly size: number;
}

/**
 * Rows of lines, by series: of each block of neighbours the first, lowest, highest and last, and gaps. Of stacked areas the
 * values of x at which the total is extreme, each with all of its rows.
 */
export function thinLines(
  places: readonly number[],
  { x, y, parts, most }: Thinning,
  areStacked: boolean,
): Thinned {
  const stacks = areStacked ? seriesOf(places, [x]) : [];
  const of = new Map(stacks.map((own) => [own[0]!, own]));
  const series = areStacked ? [[...of.keys()]] : seriesOf(places, parts);
  const depth = areStacked
    ? stacks.reduce((most, own) => Math.max(most, own.length), 1)
    : series.length;
  const amount = (place: number): Value =>
    of.get(place)?.reduce((sum, one) => sum + Number(y.values[one] ?? 0), 0) ??
      y.values[place] ?? null;
  const thinned = series.map((own) => thinSorted(own, { x, amount, most: most / depth }));
  const size = Math.max(...thinned.map((part) => part.size));
  if (size === 1) return { kept: places, size };
  const kept = thinned.flatMap((part) => part.kept.flatMap((place) => of.get(place) ?? [place]));
  return { kept: kept.toSorted((a, b) => a - b), size };
}

/** Thins rows in the order of x; the first and the last value of a line are drawn even if gaps surround it. */
function thinSorted(
  places: readonly number[],
  { x, amount, most }: {
    readonly x: PlotColumn;
    readonly amount: (place: number) => Value;
    readonly most: number;
  },
): Thinned {
  if (places.length <= most) return { kept: places, size: 1 };
  const at = (place: number) => positionOf(x.values[place]);
  const sorted = places.toSorted((a, b) => at(a) - at(b));
  const values = sorted.map(amount);
  const isKnown = (value: Value) => value !== null;
  const ends = [values.findIndex(isKnown), values.findLastIndex(isKnown)];
  const thinned = thinPlaces([values], values.length, Math.floor(most));
  const kept = new Set([...ends.filter((end) => end !== -1), ...thinned.places]);
  return { kept: [...kept].map((place) => sorted[place]!), size: thinned.size };
}

/** Sample by a hash of the row index: seeded and aperiodic, with the extremes of both axes and a row of each series. */
export function sampleRows(places: readonly number[], plan: Thinning): readonly number[] {
  if (places.length <= plan.most) return places;
  const fixed = new Set<number>();
  for (const column of [plan.x, plan.y]) {
    if (column.type === "nominal") continue;
    const at = (place: number) => positionOf(column.values[place]);
    const known = places.filter((place) => !Number.isNaN(at(place)));
    if (known.length === 0) continue;
    fixed.add(known.reduce((a, b) => at(b) < at(a) ? b : a));
    fixed.add(known.reduce((a, b) => at(b) > at(a) ? b : a));
  }
  for (const own of seriesOf(places, plan.parts).slice(0, plan.most / 8)) fixed.add(own[0]!);
  const limit = 1.2 * plan.most / places.length * 2 ** 32 + 2 ** 22;
  const drawn = places.filter((place) => !fixed.has(place) && hash(place) < limit)
    .toSorted((a, b) => hash(a) - hash(b)).slice(0, plan.most - fixed.size);
  return [...fixed, ...drawn].toSorted((a, b) => a - b);
}

// The finalizer of MurmurHash3 decorrelates neighbouring indices.
function hash(place: number): number {
  let bits = (place ^ 0x9e3779b9) >>> 0;
  bits = Math.imul(bits ^ bits >>> 16, 0x85ebca6b);
  bits = Math.imul(bits ^ bits >>> 13, 0xc2b2ae35);
  return (bits ^ bits >>> 16) >>> 0;
}

/** The rows of each series, in the order of their first rows. */
export function seriesOf(
  places: readonly number[],
  parts: readonly PlotColumn[],
): readonly (readonly number[])[] {
  if (parts.length === 0) return [places];
  const keyOf = (place: number) => JSON.stringify(parts.map(({ values }) => values[place]));
  return [...Map.groupBy(places, keyOf).values()];
}

/** Position of a value along an axis. */
export function positionOf(value: Value | undefined): number {
  return typeof value === "number" ? value : value === null ? NaN : Date.parse(String(value));
}
