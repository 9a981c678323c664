import { studentQuantile } from "../../../analysis/inference/distribution/distributions.ts";
import {
  demean,
  meanOf,
  quantileOfSorted,
  sumOfSquares,
  UPPER_END,
} from "../../../base/statistics/moments.ts";
import { capital } from "../../../base/wording/words.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { clipTails, countBins } from "../grammar/count_bins.ts";
import { thinnedText } from "../grammar/thin_rows.ts";
import type { Row, Value } from "../grammar/values.ts";
import type { PlotColumn, PlotColumns } from "./plot_columns.ts";
import { assertFew, type PlotMark, type PlotOptions } from "./plot_options.ts";
import { sampleRows, seriesOf, thinLines } from "./thin_series.ts";

/** Columns of a picture, and how they are drawn. */
export interface PlotPlan {
  readonly action: string;
  readonly columns: PlotColumns;
  readonly mark: PlotMark;
  readonly options: PlotOptions;
  /** True for horizontal bars, upright ones until they are drawn: text on the vertical axis, amounts on the horizontal one. */
  readonly isFlat: boolean;
}

/** Rows of a picture, with facts about their selection. */
export interface PlotRows {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  /** Number of rows in a sample; `null` if all are drawn, or thinned without visible loss. */
  readonly sampled: number | null;
  /** True if rows have a confidence interval. */
  readonly hasInterval: boolean;
  /** True if bars or areas of several colours are stacked. */
  readonly isStacked: boolean;
}

type Aggregate = NonNullable<PlotOptions["aggregate"]>;

const MOST_BYTES = 80_000;
// An outlier beyond this multiple of the middle 99% would squeeze all other values into one bar.
const FAR = 5;
const SHARES = [0, 0.25, 0.5, 0.75, 1];
const AGGREGATES: Readonly<Record<Aggregate, (values: readonly number[]) => number>> = {
  mean: (values) => meanOf(values),
  median: (values) => quantileOfSorted(values.toSorted((a, b) => a - b), 0.5),
  sum: (values) => values.reduce((total, value) => total + value, 0),
  min: (values) => values.reduce((a, b) => Math.min(a, b)),
  max: (values) => values.reduce((a, b) => Math.max(a, b)),
  count: (values) => values.length,
};

/**
 * Reduces the rows of a chart to bins, boxes, aggregates, extremes or a sample, or keeps all. Vega-Lite could count and average,
 * but would need every row in the specification, and knows no interval of Student.
 */
export function prepareRows(places: readonly number[], plan: PlotPlan): PlotRows {
  const { columns: { x, y, color, facet }, mark, options } = plan;
  const parts = [color, facet].filter((part) => part !== null);
  const none = { notes: [], sampled: null, hasInterval: false, isStacked: false };
  if (mark === "histogram") {
    const { rows, said: notes } = histogramRows(places, parts, plan);
    return { ...none, rows, notes, isStacked: parts.length > 0 };
  }
  if (y === null) {
    const rows = seriesOf(places, [x, ...parts])
      .map((own) => ({ ...rowAt(own[0]!, [x, ...parts]), rows: own.length }));
    return { ...none, rows, isStacked: parts.length > 0 };
  }
  if (mark === "boxplot") {
    const notes = ["Boxes: quartiles and median; whiskers: lowest and highest"];
    return { ...none, rows: boxRows(places, y, [x, ...parts]), notes };
  }
  const measure = measureOf({ ...plan.columns, y }, mark);
  // One bar, and one cell, shows one value.
  const isOne = measure.isCell || (mark === "bar" && y.type === "quantitative");
  const isMean = isOne && mostRepeats(places, measure.number, measure.by) > 1;
  const how = options.aggregate ?? (isMean ? "mean" : null);
  return {
    ...none,
    ...how === null
      ? single(places, { ...plan, y, parts })
      : aggregated(places, how, plan, measure),
  };
}

/** Counts a column in bins of equal width, on a logarithmic axis of equal ratio. */
function histogramRows(
  places: readonly number[],
  parts: readonly PlotColumn[],
  { columns: { x }, options: { bins = 40, xScale, xDomain } }: PlotPlan,
) {
  const isLog = xScale === "log";
  const at = (place: number) =>
    isLog ? Math.log10(Number(x.values[place])) : Number(x.values[place]);
  const { drawn, said } = clipTails(places.map(at), "row", xDomain === undefined ? FAR : Infinity);
  const edges = countBins(drawn, bins);
  const back = (value: number) => Number((isLog ? 10 ** value : value).toPrecision(9));
  const [low, width] = [edges[0]!.low, edges[0]!.high - edges[0]!.low];
  const rows = seriesOf(places, parts).flatMap((own) => {
    const counts = new Array<number>(edges.length).fill(0);
    for (const place of own) {
      const bin = Math.floor((at(place) - low) / width + 1e-9);
      if (bin in counts) counts[bin]!++;
    }
    const part = rowAt(own[0]!, parts);
    return edges.map((edge, i) => (
      { ...part, from: back(edge.low), to: back(edge.high), rows: counts[i]! }
    ));
  });
  return { rows, said };
}

/** The five numbers of each box, whose quartiles are those of its rows. */
function boxRows(
  places: readonly number[],
  y: PlotColumn,
  parts: readonly PlotColumn[],
): readonly Row[] {
  return seriesOf(places, parts).flatMap((own) => {
    const sorted = numbersAt(own, y).toSorted((a, b) => a - b);
    const row = { ...rowAt(own[0]!, parts), rows: sorted.length };
    return sorted.length === 0
      ? [{ ...row, [y.field]: null }]
      : SHARES.map((share) => ({ ...row, [y.field]: short(quantileOfSorted(sorted, share)) }));
  });
}

type Measure = ReturnType<typeof measureOf>;

/** The column of numbers that is drawn, and those of its place; the colour of a cell is its number. */
function measureOf(
  { x, y, color, facet, size }: PlotColumns & { readonly y: PlotColumn },
  mark: PlotMark,
) {
  const isCell = mark === "rect" && color?.type === "quantitative";
  const by = [x, isCell ? y : color, facet, size].filter((part) => part !== null);
  return { isCell, number: isCell ? color : y, by };
}

/** Largest number of known values at one position and colour. */
function mostRepeats(
  places: readonly number[],
  y: PlotColumn,
  parts: readonly PlotColumn[],
): number {
  const known = places.filter((place) => y.values[place] !== null);
  return seriesOf(known, parts).reduce((most, own) => Math.max(most, own.length), 0);
}

/** One row per x, colour and facet, with its aggregate and, for a mean, its interval: `<y> from`, `<y> to`. */
function aggregated(
  places: readonly number[],
  how: Aggregate,
  { columns: { color }, mark }: PlotPlan,
  { isCell, number, by }: Measure,
) {
  const groups = seriesOf(places, by);
  const most = groups.reduce((most, own) => Math.max(most, own.length), 0);
  const { field, name } = number;
  const rows = groups.map((own): Row => {
    const values = numbersAt(own, number);
    const isNone = values.length === 0 && how !== "count";
    return {
      ...rowAt(own[0]!, by),
      [field]: isNone ? null : short(AGGREGATES[how](values)),
      ...(how === "mean" && intervalOf(field, values)),
      ...(most > 1 && { rows: values.length }),
    };
  });
  const hasInterval = how === "mean" && !isCell && most > 1;
  const interval = hasInterval ? ", with its 95% interval as if rows were independent" : "";
  const isStacked = color !== null && (how === "sum" || how === "count") &&
    (mark === "bar" || mark === "area");
  const of = `${capital(how)} of ${name} of 1 to ${countText(most, "row")}${interval}`;
  const notes = [...most === 1 ? [] : [of], ...isStacked ? [STACKED] : []];
  return { rows, hasInterval, isStacked, notes };
}

const STACKED = "Colours are stacked";

function intervalOf(field: string, values: readonly number[]): Row {
  const [n, mean] = [values.length, meanOf(values)];
  if (n < 2) return {};
  const deviation = Math.sqrt(sumOfSquares(demean(values)) / (n - 1));
  const half = studentQuantile(UPPER_END, n - 1) * deviation / Math.sqrt(n);
  return { [`${field} from`]: short(mean - half), [`${field} to`]: short(mean + half) };
}

/** Rows that are drawn one by one: all of them, the extremes of long lines, or a sample of points. */
function single(
  places: readonly number[],
  { columns, mark, action, y, parts }: PlotPlan & {
    readonly y: PlotColumn;
    readonly parts: readonly PlotColumn[];
  },
) {
  const { x, color, size, facet } = columns;
  const all = [x, y, color, size, facet].filter((one) => one !== null);
  const used = [...new Map(all.map((one) => [one.field, one])).values()];
  const rowsAt = (some: readonly number[]) => some.map((place) => rowAt(place, used));
  const isText = x.type === "nominal" || y.type === "nominal";
  const isStacked = color !== null && (mark === "area" || (mark === "bar" && !isText));
  const notes = isStacked ? [STACKED] : [];
  if (mark === "bar" || mark === "rect") {
    assertFew(action, places.length, { most: 5_000, what: mark === "bar" ? "bars" : "cells" });
    return { rows: rowsAt(places), notes, isStacked };
  }
  const head = places.slice(0, 100);
  const bytes = JSON.stringify(rowsAt(head)).length / Math.max(1, head.length);
  const thin = { x, y, parts: [...new Set(parts)], most: Math.floor(MOST_BYTES / bytes) };
  const isLine = (mark === "line" || mark === "area") && x.type !== "nominal";
  const { kept, size: block } = isLine && y.type === "quantitative"
    ? thinLines(places, thin, isStacked)
    : { kept: sampleRows(places, thin), size: 1 };
  const rows = rowsAt(kept);
  if (kept.length === places.length) {
    return { rows, notes: [...notes, ...repeatNote(places, { x, y, parts, mark })], isStacked };
  }
  if (isLine) return { rows, notes: [...thinnedText(block, "row"), ...notes], isStacked };
  const extremes = ["The sample holds the extremes of both axes"];
  return { rows, notes: extremes, sampled: kept.length, isStacked };
}

function repeatNote(
  places: readonly number[],
  { x, y, parts, mark }: {
    readonly x: PlotColumn;
    readonly y: PlotColumn;
    readonly parts: readonly PlotColumn[];
    readonly mark: PlotMark;
  },
): readonly string[] {
  if (mark !== "line" || y.type !== "quantitative") return [];
  const most = mostRepeats(places, y, [x, ...parts]);
  return most <= 1 ? [] : [
    `Up to ${groupThousands(most)} rows of a line share one ${x.name}: color or aggregate parts ` +
    "them",
  ];
}

/** A row as a specification embeds it. */
function rowAt(place: number, columns: readonly PlotColumn[]): Row {
  return Object.fromEntries(columns.map(({ field, values }) => [field, values[place] ?? null]));
}

/** The lowest and the highest number of a column. */
export function rangeAt(places: readonly number[], column: PlotColumn): readonly [number, number] {
  const values = numbersAt(places, column);
  return [
    values.reduce((a, b) => Math.min(a, b), Infinity),
    values.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
}

function numbersAt(places: readonly number[], { values }: PlotColumn): readonly number[] {
  return places.map((place) => values[place]).filter((value) => typeof value === "number");
}

function short(value: number): Value {
  return Number(value.toPrecision(9));
}
