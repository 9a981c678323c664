import type { DataFrame } from "nodejs-polars";
import { capital } from "../../../base/wording/words.ts";
import { countText, valueText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import { originText } from "../grammar/subject/frame_subject.ts";
import { layOutChart, nothingView } from "../grammar/subject/lay_out_finding.ts";
import type { Value } from "../grammar/values.ts";
import { countDrawnRows, type RowCounts } from "./count_drawn_rows.ts";
import { type PlotColumn, type PlotColumns, readColumns, type RowTable } from "./plot_columns.ts";
import { assertFew, assertPlotOptions, type PlotMark, type PlotOptions } from "./plot_options.ts";
import { type PlotPlan, prepareRows, rangeAt } from "./plot_rows.ts";
import { omitsZero, type PlotView, plotView } from "./plot_view.ts";
import { areNames, seriesNames } from "./series_looks.ts";

const FACET_GAP_PX = 40;
const MOST_PLACES = 200;
const MOST_SERIES = 50;
const MOST_LOOKS = 12;
const MOST_FACETS = 24;

/**
 * Draws columns of any frame, for ad-hoc questions: two against each other, several series on one axis, or one as a
 * histogram. Null leaves a gap in a line and a dashed place among bars. An axis of amounts that does not begin at zero says so.
 *
 * Of long lines the first, lowest, highest and last row of each block of neighbours are drawn; many points become a seeded
 * sample that includes the extremes; bars are never thinned. Where rows of a bar repeat, their mean is drawn with its interval. The subtitle says each of these.
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
  const isFlat = mark === "bar" && columns.x.type === "quantitative" &&
    columns.y?.type === "nominal";
  const plan = {
    ...{ action, mark, isFlat },
    ...isFlat ? turned(columns, options) : { columns, options },
  };
  const counts = countDrawnRows(plan);
  const words = {
    title: options.title ?? titleOf(plan),
    footnote: "columnNames" in frame ? "A table of Arquero" : originText(frame, options.footnote),
    widthPx: options.widthPx ?? 640,
  };
  if (counts.reason === null) return draw(plan, counts, words);
  return layOutChart({
    ...words,
    subtitle: [],
    description: `${words.title}. Nothing to draw: ${counts.reason}.`,
    views: [nothingView(counts.reason, words.widthPx)],
  });
}

function defaultMark({ x, y }: PlotColumns): PlotMark {
  if (y === null) return x.type === "quantitative" ? "histogram" : "bar";
  if (x.type === "nominal" || y.type === "nominal") {
    return x.type === "nominal" && y.type === "nominal" ? "rect" : "bar";
  }
  return x.type === "temporal" ? "line" : "point";
}

/** Columns and options of upright bars, whose picture is turned when it is drawn. */
function turned(columns: PlotColumns, options: PlotOptions): Pick<PlotPlan, "columns" | "options"> {
  const { xScale: yScale, yScale: xScale, xDomain, yDomain, sort, ...others } = options;
  const of = { xScale, yScale, xDomain: yDomain, yDomain: xDomain as PlotOptions["yDomain"] };
  const order = sort?.replace(/[xy]/, (axis) => axis === "x" ? "y" : "x");
  const told = Object.entries({ ...of, sort: order }).filter(([, value]) => value !== undefined);
  return {
    columns: { ...columns, x: columns.y!, y: columns.x },
    options: { ...others, ...Object.fromEntries(told) },
  };
}

function titleOf({ columns: { x, y }, options: { aggregate, y: given }, mark }: PlotPlan): string {
  if (mark === "histogram") return `Distribution of ${x.name}`;
  if (y === null) return `Rows by ${x.name}`;
  const name = Array.isArray(given) ? given.join(", ") : y.name;
  return aggregate === undefined
    ? `${name} by ${x.name}`
    : `${capital(aggregate)} of ${name} by ${x.name}`;
}

function draw(
  plan: PlotPlan,
  { places, span, notes: counted }: RowCounts,
  words: { readonly title: string; readonly footnote: string; readonly widthPx: number },
): Chart {
  const { columns, mark, options } = plan;
  const { x, color } = columns;
  const { title, widthPx } = words;
  assertDrawable(plan, places);
  const facets = valuesAt(columns.facet, places).size;
  const side = facets <= 4 && facets !== 3 ? Math.max(1, Math.min(2, facets)) : 3;
  const prepared = prepareRows(places, plan);
  const y = columns.y ?? COUNT;
  const view = {
    ...{ ...plan, places, prepared, side, columns: { ...columns, y } },
    heightPx: options.heightPx ?? (facets === 0 ? 240 : 140),
    widthPx: facets === 0 ? widthPx : Math.floor((widthPx - FACET_GAP_PX * (side - 1)) / side),
  };
  const all = `${countText(x.values.length, "row")}${span}`;
  const sample = prepared.sampled === null
    ? all
    : `A sample of ${countText(prepared.sampled, "row").replace(/ rows?$/, "")} of ${all}`;
  const notes = [...prepared.notes, ...gapNote(view), ...counted, ...looksNote(view)];
  const cut = (["x", "y"] as const).filter((channel) => omitsZero(view, channel))
    .map((channel) => ` The axis of ${view.columns[channel].name} does not begin at 0.`);
  const by = color === null ? "" : ` by ${color.name}`;
  return layOutChart({
    ...words,
    subtitle: [sample, ...notes],
    description: `${title}: ${sample}, drawn as ${mark}${by}. ${rangeText(columns.y ?? x, places)}${
      cut.join("")
    }${notes.map((note) => ` ${note}.`).join("")}`,
    views: [plotView(view)],
  });
}

function gapNote({ mark, prepared: { rows }, columns: { y } }: PlotView): readonly string[] {
  const gaps = rows.filter((row) => row[y.field] === null).length;
  return mark !== "bar" || gaps === 0 ? [] : [
    `${gaps} of ${countText(rows.length, "bar")} ${gaps === 1 ? "has" : "have"} no value: dashed`,
  ];
}

function looksNote({ mark, prepared: { rows }, columns: { color } }: PlotView): readonly string[] {
  const count = color === null ? 0 : seriesNames(color, rows, mark)?.length ?? 0;
  return count <= MOST_LOOKS
    ? []
    : [`${count} values of ${color!.name}: looks repeat from the ${MOST_LOOKS + 1}th on`];
}

/** Stand-in column for the number of rows, on the vertical axis of a histogram or a count. */
const COUNT: PlotColumn = {
  ...{ name: "rows", field: "rows", type: "quantitative" },
  ...{ values: [], broken: [] },
};

function assertDrawable({ action, columns, mark }: PlotPlan, places: readonly number[]): void {
  const { x, y, color, facet } = columns;
  if (mark === "histogram" && !places.some((place) => Number.isFinite(Number(x.values[place])))) {
    throw new TypeError(
      `Cannot ${action}: expected a column of numbers for a histogram, got ${x.name}; leave mark ` +
        "out to count its values",
    );
  }
  for (const axis of [x, y]) {
    if (axis?.type !== "nominal") continue;
    const what = `values of ${axis.name} on an axis`;
    const advice = "sort the frame and take head(50), filter it, or group it first";
    assertFew(action, valuesAt(axis, places).size, { most: MOST_PLACES, what, advice });
  }
  const colors = valuesAt(color, places);
  if (color !== null && mark !== "rect" && areNames(color, colors)) {
    const what = `values of ${color.name} as colours`;
    const advice = "filter them, or use facet";
    assertFew(action, colors.size, { most: MOST_SERIES, what, advice });
  }
  const facets = valuesAt(facet, places).size;
  assertFew(action, facets, { most: MOST_FACETS, what: "facets", advice: "filter them first" });
}

function valuesAt(column: PlotColumn | null, places: readonly number[]): ReadonlySet<Value> {
  return new Set(column === null ? [] : places.map((place) => column.values[place]!));
}

function rangeText(column: PlotColumn, places: readonly number[]): string {
  const { name, type } = column;
  const missing = column.values.filter((value) => value === null).length;
  const nulls = missing === 0
    ? ""
    : ` ${countText(missing, "row")} ${missing === 1 ? "has" : "have"} no ${name}.`;
  if (type !== "quantitative") return `${name} is no number.${nulls}`;
  const [low, high] = rangeAt(places, column);
  return `${name} lies between ${valueText(low)} and ${valueText(high)}.${nulls}`;
}
