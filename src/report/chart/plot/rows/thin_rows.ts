import type { Row, Value } from "../../grammar/values.ts";
import type { PlotColumn } from "../plot_columns.ts";

/** Columns and limits of thinning. */
export interface RowThinning {
  readonly x: PlotColumn;
  readonly y: PlotColumn;
  /** Columns that divide the rows into series. */
  readonly parts: readonly PlotColumn[];
  /** Largest number of rows to keep. */
  readonly most: number;
  /** Width of the horizontal axis in pixels. */
  readonly widthPx: number;
}

/** Rows that are drawn, and the number of pixel columns per series; `null` if none was thinned. */
export interface Thinned {
  readonly kept: readonly number[];
  readonly bins: number | null;
}

/** Position of a value along an axis. */
export function positionOf(value: Value | undefined): number {
  return typeof value === "number" ? value : value === null ? NaN : Date.parse(String(value));
}

/**
 * Keeps the first, lowest, highest and last row of each series in each pixel column, and gaps that fill a column. Their line
 * covers the same pixels as that of all rows.
 */
export function thinLines(places: readonly number[], plan: RowThinning): Thinned {
  if (places.length <= plan.most) return { kept: places, bins: null };
  const series = seriesOf(places, plan.parts);
  const bins = Math.max(1, Math.min(plan.widthPx, Math.floor(plan.most / (4 * series.length))));
  const y = (place: number) => plan.y.values[place] as number | null;
  const kept = series.flatMap((own) => extremes(own, plan.x, { bins, y }));
  return { kept: kept.toSorted((a, b) => a - b), bins };
}

/** Rows of stacked areas: the values of x at which the total is extreme, each with all of its rows. */
export function thinStacks(places: readonly number[], plan: RowThinning): Thinned {
  if (places.length <= plan.most) return { kept: places, bins: null };
  const rows = new Map<Value, number[]>();
  for (const place of places) {
    const x = plan.x.values[place]!;
    const known = rows.get(x);
    if (known === undefined) rows.set(x, [place]);
    else known.push(place);
  }
  const depth = Math.max(...[...rows.values()].map((own) => own.length));
  const bins = Math.max(1, Math.min(plan.widthPx, Math.floor(plan.most / (4 * depth))));
  const heads = [...rows.values()].map((own) => own[0]!);
  const y = (head: number) =>
    rows.get(plan.x.values[head]!)!
      .reduce((sum, place) => sum + Number(plan.y.values[place] ?? 0), 0);
  const kept = extremes(heads, plan.x, { bins, y });
  return { kept: kept.flatMap((head) => rows.get(plan.x.values[head]!)!), bins };
}

interface Bin {
  first: number;
  last: number;
  low: number;
  high: number;
  gap: number;
}

function extremes(
  places: readonly number[],
  x: PlotColumn,
  { bins, y }: { readonly bins: number; readonly y: (place: number) => number | null },
): readonly number[] {
  const at = new Map(places.map((place) => [place, positionOf(x.values[place])]));
  const known = places.filter((place) => !Number.isNaN(at.get(place)!));
  const start = known.reduce((least, place) => Math.min(least, at.get(place)!), Infinity);
  const end = known.reduce((most, place) => Math.max(most, at.get(place)!), -Infinity);
  const found = new Map<number, Bin>();
  for (const place of known) {
    const share = end > start ? (at.get(place)! - start) / (end - start) : 0;
    const number = Math.min(bins - 1, Math.floor(share * bins));
    const value = y(place);
    const bin = found.get(number) ?? { first: -1, last: -1, low: -1, high: -1, gap: -1 };
    found.set(number, bin);
    if (value === null) bin.gap = place;
    else add(bin, place, { at: (one) => at.get(one)!, y: (one) => y(one)! });
  }
  const kept = new Set<number>();
  for (const { first, last, low, high, gap } of found.values()) {
    for (const place of first === -1 ? [gap] : [first, low, high, last]) kept.add(place);
  }
  return [...kept];
}

function add(
  bin: Bin,
  place: number,
  { at, y }: { readonly at: (place: number) => number; readonly y: (place: number) => number },
): void {
  if (bin.first === -1 || at(place) < at(bin.first)) bin.first = place;
  if (bin.last === -1 || at(place) >= at(bin.last)) bin.last = place;
  if (bin.low === -1 || y(place) < y(bin.low)) bin.low = place;
  if (bin.high === -1 || y(place) > y(bin.high)) bin.high = place;
}

/** Sample by a hash of the row index: seeded and aperiodic, with the extremes of both axes and a row of each series. */
export function sampleRows(places: readonly number[], plan: RowThinning): Thinned {
  if (places.length <= plan.most) return { kept: places, bins: null };
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
  return { kept: [...fixed, ...drawn].toSorted((a, b) => a - b), bins: null };
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
  const series = new Map<string, number[]>();
  for (const place of places) {
    const key = JSON.stringify(parts.map(({ values }) => values[place]));
    const own = series.get(key);
    if (own === undefined) series.set(key, [place]);
    else own.push(place);
  }
  return [...series.values()];
}

/** The rows of some places as a specification embeds them. */
export function rowsAt(
  places: readonly number[],
  columns: readonly PlotColumn[],
): readonly Row[] {
  return places.map((place) =>
    Object.fromEntries(columns.map(({ field, values }) => [field, values[place] ?? null]))
  );
}
