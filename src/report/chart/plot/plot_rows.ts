import type { DataFrame } from "nodejs-polars";
import { studentQuantile } from "../../../analysis/inference/distributions.ts";
import { randomSource } from "../../../analysis/inference/bootstrap.ts";
import * as moments from "../../../base/statistics/moments.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { wrongKind } from "../../../base/arguments/list_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import { clipTails, countBins } from "../grammar/count_bins.ts";
import { thinnedText, thinPlaces } from "../grammar/thin_rows.ts";
import { type Row, toValue, type Value } from "../grammar/values.ts";

/** Options of `plot()`. */
export interface PlotOptions {
  /** The column of the horizontal axis. */
  readonly x: string;
  /**
   * The column of the vertical axis, or several columns on one axis, each a series.
   *
   * @default none: a histogram of a column of numbers, a count of each value of a column of text
   */
  readonly y?: string | readonly string[];
  /** The column that sets the colour; of names at most 12. @default one colour */
  readonly color?: string;
  /**
   * Drawing of a row.
   *
   * @default "line" where x is a date or an instant, "bar" where it is text, else "point"
   */
  readonly mark?: "point" | "line" | "bar" | "histogram";
  /** Bins of a histogram, at most 200. @default at most 40, of a round width */
  readonly bins?: number;
  /**
   * Title.
   *
   * @default the names of the columns
   */
  readonly title?: string;
  /** Origin of the numbers; synthetic rows are marked all the same. @default what the frame says */
  readonly footnote?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
}

/** Column of a frame, as drawn. */
export interface PlotColumn {
  /** Its name, for the reader. */
  readonly name: string;
  /** Its name in the specification, without characters that Vega reads as paths or quotes. */
  readonly field: string;
  readonly type: "temporal" | "quantitative" | "nominal";
  readonly values: readonly Value[];
  /** Rows whose value is infinite or NaN; it counts as null. */
  readonly broken: readonly number[];
}

/** Columns by role; `y` is `null` for a histogram and a count. */
export type PlotColumns =
  & { readonly x: PlotColumn }
  & Readonly<Record<"y" | "color", PlotColumn | null>>;

/** Rows of a picture, with facts about their selection. */
export interface PlotRows {
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  /** Number of rows in a sample. */
  readonly sampled?: number;
  /** True if rows have a confidence interval. */
  readonly hasInterval?: boolean;
}

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;
const PLAIN = /^[A-Za-z_]\w*$/;
const MOST_BYTES = 80_000;
// An outlier beyond this multiple of the middle 99% would squeeze all other values into one bar.
const FAR = 5;

/**
 * Reads the columns of a plot; several columns of y become one, with a series for each.
 *
 * @throws {TypeError} If it is not a frame, or a column is missing
 */
export function readColumns(frame: DataFrame, { x, y, color }: PlotOptions): PlotColumns {
  const ys = Array.isArray(y) ? y as readonly string[] : null;
  if (ys !== null && color !== undefined) {
    const expected = "several columns as y and no color, or one column";
    throw wrongKind("plot", y, { expected, advice: 'such as { x: "date", y: "ic" }' });
  }
  const names = [x, y, color].flat().filter((name) => name !== undefined);
  assertColumns("plot", frame, names);
  const given = (name: string) => frame.getColumn(name).toArray() as readonly unknown[];
  const of = (name: string | undefined) => {
    if (name === undefined) return null;
    const values = ys === null ? given(name) : ys.flatMap(() => given(name));
    return columnOf(name, frame.columns.indexOf(name), values);
  };
  if (ys === null) return { x: of(x)!, y: of(y as string | undefined), color: of(color) };
  const series = ys.flatMap((name) => given(name).map(() => name));
  const value = columnOf("value", 0, ys.flatMap(given));
  return { x: of(x)!, y: value, color: columnOf("column", 0, series) };
}

function columnOf(name: string, place: number, given: readonly unknown[]): PlotColumn {
  const isBroken = (value: unknown) => typeof value === "number" && !Number.isFinite(value);
  const values = given.map((value) =>
    typeof value === "number" && !isBroken(value) ? short(value) : toValue(value)
  );
  const known = values.filter((value) => value !== null);
  const isEvery = (test: (value: Value) => boolean) => known.length > 0 && known.every(test);
  const isDate = (value: Value) => typeof value === "string" && DATE.test(value);
  const isNumber = isEvery((value) => typeof value === "number");
  // Vega writes titles into expressions, which know no line break, and refuse the names that every object has.
  const shown = name.replaceAll(/\s+/g, " ");
  return {
    name: shown in Object.prototype ? `"${shown}"` : shown,
    field: PLAIN.test(name) && !(name in Object.prototype) ? name : `column ${place + 1}`,
    type: isNumber ? "quantitative" : isEvery(isDate) ? "temporal" : "nominal",
    values,
    broken: [...given.keys()].filter((row) => isBroken(given[row])),
  };
}

/**
 * Reduces the rows of a chart to bins, means, extremes or a sample, or keeps all. Vega-Lite could count and average,
 * but would need every row in the specification, and knows no interval of Student.
 */
export function prepareRows(
  places: readonly number[],
  { x, y, color }: PlotColumns,
  { mark, bins }: PlotOptions,
): PlotRows {
  if (mark === "histogram") return histogramRows(places, [x, color], bins);
  const all = places.map((place) => rowAt(place, [x, y, color]));
  const keyOf = (row: Row) => JSON.stringify([row[x.field], row[color?.field!]]);
  const groups = [...Map.groupBy(all, keyOf).values()];
  if (y === null) {
    return { rows: groups.map((own) => ({ ...own[0]!, rows: own.length })), notes: [] };
  }
  const { field, name } = y;
  const known = groups.map((own) => numbersIn(own, field));
  const most = Math.max(...known.map(({ length }) => length));
  const hasInterval = (mark === "bar" || mark === "line") && y.type === "quantitative" && most > 1;
  const rows = hasInterval
    ? groups.map((own, i) => ({ ...own[0]!, ...meanOf(field, known[i]!) }))
    : all;
  const mean = `Mean of ${name} of 1 to ${countText(most, "row")}, with its 95% interval as if ` +
    "rows were independent";
  const of = hasInterval ? [mean] : [];
  const limit = Math.floor(MOST_BYTES * 100 / JSON.stringify(rows.slice(0, 100)).length) || 1;
  if (mark === "bar" || rows.length <= limit) return { rows, hasInterval, notes: of };
  if (mark === "line" && x.type !== "nominal" && y.type === "quantitative") {
    const { kept, size } = thinLines(rows, { x, y, color }, limit);
    return { rows: kept, hasInterval, notes: [...of, ...thinnedText(size, "row")] };
  }
  const kept = sampleRows(rows, [x, y], limit);
  const notes = ["The sample holds the extremes of both axes"];
  return { rows: kept, notes, sampled: kept.length };
}

function meanOf(field: string, values: readonly number[]): Row {
  const n = values.length;
  if (n === 0) return { [field]: null, rows: 0 };
  const mean = moments.meanOf(values);
  const deviation = Math.sqrt(moments.sumOfSquares(moments.demean(values)) / (n - 1));
  if (n === 1) return { [field]: short(mean), rows: 1 };
  const half = studentQuantile(moments.UPPER_END, n - 1) * deviation / Math.sqrt(n);
  const [low, high] = [`${field} from`, `${field} to`];
  return { [field]: short(mean), [low]: short(mean - half), [high]: short(mean + half), rows: n };
}

/** Counts a column in bins of equal width. */
function histogramRows(
  places: readonly number[],
  [x, color]: readonly [PlotColumn, PlotColumn | null],
  bins = 40,
): PlotRows {
  const rows = places.map((place) => rowAt(place, [x, color]));
  const { drawn, said: notes } = clipTails(numbersIn(rows, x.field), "row", FAR);
  const edges = countBins(drawn, bins);
  const { low, high } = edges[0]!;
  const binOf = (row: Row) => Math.floor((Number(row[x.field]) - low) / (high - low) + 1e-9);
  const series = [...Map.groupBy(rows, (row) => row[color?.field!])].map(([value, own]) => {
    const counts = Map.groupBy(own, binOf);
    const part = color === null ? {} : { [color.field]: value! };
    return edges.map((edge, i): Row => (
      { ...part, from: edge.low, to: edge.high, rows: counts.get(i)?.length ?? 0 }
    ));
  });
  return { rows: series.flat(), notes };
}

/** Of each line the first, lowest, highest and last row of each block of neighbours. */
function thinLines(rows: readonly Row[], { x, y, color }: PlotColumns, most: number) {
  const lines = [...Map.groupBy(rows, (row) => row[color?.field!]).values()];
  const thinned = lines.map((own) => {
    const sorted = own.toSorted((a, b) => positionOf(a[x.field]) - positionOf(b[x.field]));
    const columns = ["", " from", " to"].map((end) => `${y!.field}${end}`)
      .map((field) => sorted.map((row) => row[field] ?? null))
      .filter((values) => values.some((value) => value !== null));
    const { places, size } = thinPlaces(columns, sorted.length, most / lines.length);
    const isKnown = (row: Row) => row[y!.field] !== null;
    const ends = [sorted.findIndex(isKnown), sorted.findLastIndex(isKnown)];
    const kept = [...new Set([...ends, ...places])].filter((at) => at !== -1);
    return { kept: kept.map((at) => sorted[at]!), size };
  });
  const size = Math.max(...thinned.map((own) => own.size));
  return { kept: thinned.flatMap(({ kept }) => kept), size };
}

/** A seeded sample, with the extremes of both axes. */
function sampleRows(
  rows: readonly Row[],
  axes: readonly PlotColumn[],
  most: number,
): readonly Row[] {
  const fixed = new Set<Row>();
  for (const { field, type } of axes) {
    const at = (row: Row) => positionOf(row[field]);
    const known = type === "nominal" ? [] : rows.filter((row) => !Number.isNaN(at(row)));
    if (known.length === 0) continue;
    fixed.add(known.reduce((a, b) => at(b) < at(a) ? b : a));
    fixed.add(known.reduce((a, b) => at(b) > at(a) ? b : a));
  }
  const random = randomSource(1);
  const drawn = rows.map((row) => [random.uniform(), row] as const).toSorted(([a], [b]) => a - b);
  const others = drawn.map(([, row]) => row).filter((row) => !fixed.has(row));
  return [...fixed, ...others.slice(0, most - fixed.size)];
}

function positionOf(value: Value | undefined): number {
  return typeof value === "number" ? value : value === null ? NaN : Date.parse(String(value));
}

/** A row as a specification embeds it. */
function rowAt(place: number, columns: readonly (PlotColumn | null)[]): Row {
  const known = columns.filter((column) => column !== null);
  return Object.fromEntries(known.map(({ field, values }) => [field, values[place] ?? null]));
}

function numbersIn(rows: readonly Row[], field: string): readonly number[] {
  return rows.map((row) => row[field]).filter((value) => typeof value === "number");
}

function short(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(7));
}
