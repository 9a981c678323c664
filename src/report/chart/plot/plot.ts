import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart.ts";
import { originText } from "../grammar/subject/frame_subject.ts";
import { layOutChart } from "../grammar/subject/lay_out_chart.ts";
import { capital } from "../../../base/wording/capital.ts";
import { countText, valueText } from "../../../base/wording/number_text.ts";
import { nothingView } from "../grammar/subject/nothing_view.ts";
import { assertFew } from "./assert_few.ts";
import { areBarsFlat, countDrawnRows, type RowCounts } from "./rows/count_drawn_rows.ts";
import { assertPlotOptions, type PlotMark, type PlotOptions } from "./plot_options.ts";
import { plotView } from "./view/plot_view.ts";
import { facetColumns } from "./facet_columns.ts";
import { prepareRows } from "./rows/prepare_rows.ts";
import type { PlotAxis, PlotColumn, PlotColumns, PlotRows, RowTable } from "./plot_columns.ts";
import { readColumns } from "./read_table.ts";
import { seriesNames } from "./view/series_looks.ts";
import { axisValues } from "./axis_values.ts";

const FACET_GAP_PX = 40;
const MOST_PLACES = 200;
const MOST_SERIES = 50;
const MOST_LOOKS = 12;
const MOST_FACETS = 24;
// A zero that is nearer takes little room.
const FAR_FROM_ZERO = 0.2;

/**
 * Draws columns of any frame, for ad-hoc questions: two against each other, several series on one axis, or one as a
 * histogram. Null leaves a gap in a line and a dashed place among bars. An axis of amounts that does not begin at zero says so.
 *
 * Long lines keep the lowest and highest value of each pixel column; many points become a seeded sample that
 * includes the extremes; bars are
 * never thinned. Where rows of a bar repeat, their mean is drawn with its interval. The subtitle says each of these.
 *
 * @param frame A Polars frame, or a table of Arquero
 * @param options The columns, and how they are drawn
 * @throws {TypeError} If it is not a frame, a column is missing, or an option is unknown
 * @throws {RangeError} If a mark or scale is another, or there are more places, series or pictures than can be told apart
 *
 * @example Usage
 * ```ts
 * import { plot } from "scoreframe/chart";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({
 *   lag: [1, 2, 3, 4, 5, 6],
 *   ic: [0.031, 0.028, null, 0.017, 0.012, 0.009],
 * });
 * const chart = plot(frame, { x: "lag", y: "ic", mark: "line" });
 * if (!chart.description.includes("6 rows")) throw new Error("the number of rows expected");
 * const counts = plot(frame, { x: "ic", bins: 3, rules: [{ x: 0.02, label: "aim" }] });
 * if (!counts.description.includes("Distribution of ic")) throw new Error(counts.description);
 * ```
 */
export function plot(frame: DataFrame | RowTable, options: PlotOptions): Chart {
  const action = "plot";
  assertPlotOptions(action, options);
  const columns = readColumns(action, frame, options);
  const mark = options.mark ?? defaultMark(columns);
  const counts = countDrawnRows(columns, { ...options, mark });
  const title = options.title ?? titleOf(columns, options, mark);
  const origin = "columnNames" in frame
    ? "A table of Arquero"
    : originText(frame, options.footnote);
  const words = { title, footnote: origin, widthPx: options.widthPx ?? 640 };
  if (counts.reason !== null) {
    return layOutChart({
      ...words,
      subtitle: [],
      description: `${title}. Nothing to draw: ${counts.reason}.`,
      views: [nothingView(counts.reason, words.widthPx)],
    });
  }
  assertDrawable(action, columns, counts, mark);
  return draw({ action, columns, mark, counts, words, options });
}

interface Plan {
  readonly action: string;
  readonly columns: PlotColumns;
  readonly mark: PlotMark;
  readonly counts: RowCounts;
  readonly words: { readonly title: string; readonly footnote: string; readonly widthPx: number };
  readonly options: PlotOptions;
}

function draw({ action, columns, mark, counts, words, options }: Plan): Chart {
  const { title, widthPx } = words;
  const facets = facetsOf(columns, counts.places).length;
  const side = facetColumns(facets);
  const panelPx = facets === 0 ? widthPx : Math.floor((widthPx - FACET_GAP_PX * (side - 1)) / side);
  const prepared = prepareRows(counts.places, { action, columns, mark, options, widthPx: panelPx });
  const isFlat = areBarsFlat(columns, mark);
  const x = axisFor(columns.x, { channel: "x", isFlat, prepared, mark, counts, options });
  const y = axisFor(columns.y ?? COUNT, { channel: "y", isFlat, prepared, mark, counts, options });
  const all = `${countText(columns.x.values.length, "row")}${counts.span}`;
  const sample = prepared.sampled === null
    ? all
    : `A sample of ${countText(prepared.sampled, "row").replace(/ rows?$/, "")} of ${all}`;
  const notes = [
    ...prepared.notes,
    ...gapNotes(prepared, [x, y], mark),
    ...counts.notes,
    ...looks(columns, prepared, mark),
  ];
  const cut = [x, y].filter((axis) => axis.isCut).map((axis) =>
    ` The axis of ${axis.name} does not begin at 0.`
  );
  const by = columns.color === null ? "" : ` by ${columns.color.name}`;
  return layOutChart({
    ...words,
    subtitle: [sample, ...notes],
    description: `${title}: ${sample}, drawn as ${mark}${by}. ${
      rangeText(isFlat ? columns.x : columns.y ?? columns.x, counts)
    }${cut.join("")}${notes.map((note) => ` ${note}.`).join("")}`,
    views: [plotView({
      ...{ prepared, columns, x, y, mark, options, widthPx: panelPx },
      heightPx: options.heightPx ?? (facets === 0 ? 240 : 140),
    })],
  });
}

/** Stand-in column for the number of rows, on the vertical axis of a histogram or a count. */
const COUNT: PlotColumn = {
  name: "rows",
  field: "rows",
  type: "quantitative",
  values: [],
  broken: [],
};

function defaultMark({ x, y }: PlotColumns): PlotMark {
  if (y === null) return x.type === "quantitative" ? "histogram" : "bar";
  if (x.type === "nominal" || y.type === "nominal") {
    return x.type === "nominal" && y.type === "nominal" ? "rect" : "bar";
  }
  return x.type === "temporal" ? "line" : "point";
}

function titleOf(
  { x, y }: PlotColumns,
  { aggregate, y: given }: PlotOptions,
  mark: PlotMark,
): string {
  if (mark === "histogram") return `Distribution of ${x.name}`;
  if (y === null) return `Rows by ${x.name}`;
  const name = Array.isArray(given) ? given.join(", ") : y.name;
  return aggregate === undefined
    ? `${name} by ${x.name}`
    : `${capital(aggregate)} of ${name} by ${x.name}`;
}

function facetsOf({ facet }: PlotColumns, places: readonly number[]): readonly unknown[] {
  return facet === null ? [] : [...new Set(places.map((place) => facet.values[place]))];
}

function assertDrawable(
  action: string,
  columns: PlotColumns,
  { places }: RowCounts,
  mark: PlotMark,
): void {
  const { x, y, color } = columns;
  const count = (column: PlotColumn) => new Set(places.map((place) => column.values[place])).size;
  for (const axis of [x, y]) {
    if (axis?.type !== "nominal") continue;
    const what = `values of ${axis.name} on an axis`;
    const advice = "sort the frame and take head(50), filter it, or group it first";
    assertFew(action, count(axis), { most: MOST_PLACES, what, advice });
  }
  const isNamed = color !== null &&
    seriesNames(color, places.map((place) => ({ [color.field]: color.values[place]! })), mark) !==
      null;
  if (isNamed && mark !== "rect") {
    const advice = "filter them, or use facet";
    assertFew(action, count(color), {
      most: MOST_SERIES,
      what: `values of ${color.name} as colours`,
      advice,
    });
  }
  const facets = facetsOf(columns, places).length;
  assertFew(action, facets, { most: MOST_FACETS, what: "facets", advice: "filter them first" });
}

interface AxisPlan {
  readonly channel: "x" | "y";
  readonly isFlat: boolean;
  readonly prepared: PlotRows;
  readonly mark: PlotMark;
  readonly counts: RowCounts;
  readonly options: PlotOptions;
}

function axisFor(
  column: PlotColumn,
  { channel, isFlat, prepared, mark, counts, options }: AxisPlan,
): PlotAxis {
  const { field, name, type } = column;
  const isLog = options[`${channel}Scale`] === "log";
  const hasEnds = options[`${channel}Domain`] !== undefined;
  const known = counts.places.map((place) => column.values[place])
    .filter((value) => typeof value === "number");
  const isAmount = mark === "bar" || mark === "area" || mark === "histogram";
  const isWhole = channel === "x" && !isFlat && known.every(Number.isInteger);
  const isPlace = channel === "x" && (isWhole || mark === "histogram");
  const isCut = type === "quantitative" && !isLog && !hasEnds && !isPlace &&
    !(isAmount && channel === (isFlat ? "x" : "y")) && isFarFromZero(known);
  const values = type === "nominal" ? axisValues(field, prepared.rows, { options, channel }) : [];
  return { field, name, type, values, isCut, isWhole };
}

/** True if an axis omits zero because it is far from all values; false for a single value, which would have no axis. */
function isFarFromZero(values: readonly number[]): boolean {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const [near, far] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b);
  return low * high > 0 && low < high && near! > FAR_FROM_ZERO * far!;
}

function gapNotes(
  { rows }: PlotRows,
  axes: readonly PlotAxis[],
  mark: PlotMark,
): readonly string[] {
  const amount = axes.findLast(({ type }) => type === "quantitative");
  if (mark !== "bar" || amount === undefined) return [];
  const gaps = rows.filter((row) => row[amount.field] === null).length;
  if (gaps === 0) return [];
  return [
    `${gaps} of ${countText(rows.length, "bar")} ${gaps === 1 ? "has" : "have"} no value: dashed`,
  ];
}

function looks({ color }: PlotColumns, { rows }: PlotRows, mark: PlotMark): readonly string[] {
  const count = color === null ? 0 : seriesNames(color, rows, mark)?.length ?? 0;
  return count <= MOST_LOOKS
    ? []
    : [`${count} values of ${color!.name}: looks repeat from the ${MOST_LOOKS + 1}th on`];
}

function rangeText(column: PlotColumn, { places }: RowCounts): string {
  const { name, type } = column;
  const missing = column.values.filter((value) => value === null).length;
  const nulls = missing === 0
    ? ""
    : ` ${countText(missing, "row")} ${missing === 1 ? "has" : "have"} no ${name}.`;
  if (type !== "quantitative") return `${name} is no number.${nulls}`;
  const values = places.map((place) => column.values[place]).filter((value) =>
    typeof value === "number"
  );
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return `${name} lies between ${valueText(low)} and ${valueText(high)}.${nulls}`;
}
