import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart.ts";
import { originText } from "../grammar/subject/frame_subject.ts";
import { layOutChart, nothingView } from "../grammar/subject/lay_out_finding.ts";
import { capital } from "../../../base/wording/capital.ts";
import { countText, valueText } from "../../../base/wording/number_text.ts";
import { assertFew } from "./assert_few.ts";
import { countDrawnRows, type RowCounts } from "./rows/count_drawn_rows.ts";
import { assertPlotOptions, type PlotMark, type PlotOptions } from "./plot_options.ts";
import { plotView } from "./view/plot_view.ts";
import { prepareRows } from "./rows/prepare_rows.ts";
import type { PlotAxis, PlotColumn, PlotColumns, PlotRows, RowTable } from "./plot_columns.ts";
import { readColumns } from "./read_table.ts";
import { areNames, seriesNames } from "./view/series_looks.ts";
import type { Value } from "../grammar/values.ts";
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
    action,
    mark,
    isFlat,
    ...isFlat ? turned(columns, options) : { columns, options },
  };
  const counts = countDrawnRows(plan.columns, { ...plan.options, mark });
  const words = {
    title: options.title ?? titleOf(plan.columns, plan.options, mark),
    footnote: "columnNames" in frame ? "A table of Arquero" : originText(frame, options.footnote),
    widthPx: options.widthPx ?? 640,
  };
  if (counts.reason === null) return draw({ ...plan, counts, words });
  return layOutChart({
    ...words,
    subtitle: [],
    description: `${words.title}. Nothing to draw: ${counts.reason}.`,
    views: [nothingView(counts.reason, words.widthPx)],
  });
}

interface Plan {
  readonly action: string;
  readonly columns: PlotColumns;
  readonly mark: PlotMark;
  readonly counts: RowCounts;
  readonly words: { readonly title: string; readonly footnote: string; readonly widthPx: number };
  readonly options: PlotOptions;
  /** True for horizontal bars: text on the vertical axis, amounts on the horizontal one. */
  readonly isFlat: boolean;
}

/** Columns and options of upright bars, whose picture is turned when it is drawn. */
function turned(columns: PlotColumns, options: PlotOptions): Pick<Plan, "columns" | "options"> {
  const { xScale: yScale, yScale: xScale, xDomain, yDomain, sort, ...others } = options;
  const of = { xScale, yScale, xDomain: yDomain, yDomain: xDomain as PlotOptions["yDomain"] };
  const order = sort?.replace(/[xy]/, (axis) => axis === "x" ? "y" : "x");
  const told = Object.entries({ ...of, sort: order }).filter(([, value]) => value !== undefined);
  return {
    columns: { ...columns, x: columns.y!, y: columns.x },
    options: { ...others, ...Object.fromEntries(told) },
  };
}

function draw({ action, columns, mark, counts, words, options, isFlat }: Plan): Chart {
  const { title, widthPx } = words;
  assertDrawable(action, columns, counts, mark);
  const facets = valuesAt(columns.facet, counts.places).size;
  const side = facets <= 4 && facets !== 3 ? Math.max(1, Math.min(2, facets)) : 3;
  const panelPx = facets === 0 ? widthPx : Math.floor((widthPx - FACET_GAP_PX * (side - 1)) / side);
  const prepared = prepareRows(counts.places, { action, columns, mark, options });
  const x = axisFor(columns.x, { channel: "x", prepared, mark, counts, options });
  const y = axisFor(columns.y ?? COUNT, { channel: "y", prepared, mark, counts, options });
  const all = `${countText(columns.x.values.length, "row")}${counts.span}`;
  const sample = prepared.sampled === null
    ? all
    : `A sample of ${countText(prepared.sampled, "row").replace(/ rows?$/, "")} of ${all}`;
  const notes = [
    ...prepared.notes,
    ...gapNotes(prepared, y, mark),
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
      rangeText(columns.y ?? columns.x, counts)
    }${cut.join("")}${notes.map((note) => ` ${note}.`).join("")}`,
    views: [plotView({
      ...{ prepared, columns, x, y, mark, options, isFlat, widthPx: panelPx, side },
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

function valuesAt(column: PlotColumn | null, places: readonly number[]): ReadonlySet<Value> {
  return new Set(column === null ? [] : places.map((place) => column.values[place]!));
}

function assertDrawable(
  action: string,
  columns: PlotColumns,
  { places }: RowCounts,
  mark: PlotMark,
): void {
  const { x, y, color, facet } = columns;
  for (const axis of [x, y]) {
    if (axis?.type !== "nominal") continue;
    const what = `values of ${axis.name} on an axis`;
    const advice = "sort the frame and take head(50), filter it, or group it first";
    assertFew(action, valuesAt(axis, places).size, { most: MOST_PLACES, what, advice });
  }
  const colors = valuesAt(color, places);
  if (color !== null && mark !== "rect" && areNames(color, colors)) {
    const what = `values of ${color.name} as colours`;
    assertFew(action, colors.size, {
      most: MOST_SERIES,
      what,
      advice: "filter them, or use facet",
    });
  }
  const facets = valuesAt(facet, places).size;
  assertFew(action, facets, { most: MOST_FACETS, what: "facets", advice: "filter them first" });
}

interface AxisPlan {
  readonly channel: "x" | "y";
  readonly prepared: PlotRows;
  readonly mark: PlotMark;
  readonly counts: RowCounts;
  readonly options: PlotOptions;
}

function axisFor(
  column: PlotColumn,
  { channel, prepared, mark, counts, options }: AxisPlan,
): PlotAxis {
  const { field, name, type } = column;
  const isLog = options[`${channel}Scale`] === "log";
  const hasEnds = options[`${channel}Domain`] !== undefined;
  const known = counts.places.map((place) => column.values[place])
    .filter((value) => typeof value === "number");
  const isAmount = mark === "bar" || mark === "area" || mark === "histogram";
  const isWhole = channel === "x" && known.every(Number.isInteger);
  const isPlace = channel === "x" && (isWhole || mark === "histogram");
  const isCut = type === "quantitative" && !isLog && !hasEnds && !isPlace &&
    !(isAmount && channel === "y") && isFarFromZero(known);
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

function gapNotes({ rows }: PlotRows, y: PlotAxis, mark: PlotMark): readonly string[] {
  const gaps = rows.filter((row) => row[y.field] === null).length;
  return mark !== "bar" || gaps === 0 ? [] : [
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
