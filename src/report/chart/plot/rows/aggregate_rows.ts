import { UPPER_END } from "../../../../base/statistics/level.ts";
import {
  demean,
  meanOf,
  quantileOfSorted,
  sumOfSquares,
} from "../../../../base/statistics/moments.ts";
import { studentQuantile } from "../../../../analysis/inference/distribution/distributions.ts";
import type { Row, Value } from "../../grammar/values.ts";
import type { PlotAggregate } from "../plot_options.ts";
import type { PlotColumn } from "../plot_columns.ts";
import { seriesOf } from "./thin_rows.ts";

/** One row per position and colour, and the largest number of rows aggregated into one. */
export interface Aggregated {
  readonly rows: readonly Row[];
  readonly most: number;
}

/** Aggregate of several values. */
const VALUES: Readonly<Record<PlotAggregate, (values: readonly number[]) => number>> = {
  mean: (values) => meanOf(values),
  median: (values) => quantileOfSorted(values.toSorted((a, b) => a - b), 0.5),
  sum: (values) => values.reduce((total, value) => total + value, 0),
  min: (values) => values.reduce((a, b) => Math.min(a, b)),
  max: (values) => values.reduce((a, b) => Math.max(a, b)),
  count: (values) => values.length,
};

/** Largest number of known values at one position and colour. */
export function mostRepeats(
  places: readonly number[],
  y: PlotColumn,
  parts: readonly PlotColumn[],
): number {
  const known = places.filter((place) => y.values[place] !== null);
  return seriesOf(known, parts).reduce((most, own) => Math.max(most, own.length), 0);
}

/** One row per x, colour and facet, with its aggregate and, for a mean, its interval: `<y> from`, `<y> to`. */
export function aggregateRows(
  places: readonly number[],
  { y, parts, how }: {
    readonly y: PlotColumn | null;
    readonly parts: readonly PlotColumn[];
    readonly how: PlotAggregate;
  },
): Aggregated {
  const groups = seriesOf(places, parts);
  const field = y?.field ?? "rows";
  const rows = groups.map((own) => {
    const values = own.map((place) => y === null ? 1 : y.values[place] ?? null)
      .filter((value) => typeof value === "number");
    const value = values.length === 0 && how !== "count" ? null : VALUES[how](values);
    return {
      ...Object.fromEntries(parts.map((part) => [part.field, part.values[own[0]!] ?? null])),
      [field]: short(value),
      ...(how === "mean" && withInterval(field, values)),
      ...(y !== null && groups.length < places.length && { rows: values.length }),
    } as Row;
  });
  return { rows, most: groups.reduce((most, own) => Math.max(most, own.length), 0) };
}

function withInterval(field: string, values: readonly number[]): Row {
  const [n, mean] = [values.length, meanOf(values)];
  if (n < 2) return {};
  const deviation = Math.sqrt(sumOfSquares(demean(values)) / (n - 1));
  const half = studentQuantile(UPPER_END, n - 1) * deviation / Math.sqrt(n);
  return { [`${field} from`]: short(mean - half), [`${field} to`]: short(mean + half) };
}

/** Five numbers of each box: `low`, `first`, `middle`, `third`, `high`, and `rows`. */
export function boxRows(
  places: readonly number[],
  y: PlotColumn,
  parts: readonly PlotColumn[],
): readonly Row[] {
  return seriesOf(places, parts).map((own) => {
    const sorted = own.map((place) => y.values[place]).filter((value) => typeof value === "number")
      .toSorted((a, b) => a - b);
    const at = (share: number) =>
      sorted.length === 0 ? null : short(quantileOfSorted(sorted, share));
    return {
      ...Object.fromEntries(parts.map((part) => [part.field, part.values[own[0]!] ?? null])),
      ...{ low: at(0), first: at(0.25), middle: at(0.5), third: at(0.75), high: at(1) },
      rows: sorted.length,
    } as Row;
  });
}

function short(value: number | null): Value {
  return value === null ? null : Number(value.toPrecision(9));
}
