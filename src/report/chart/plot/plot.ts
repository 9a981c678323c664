import type { DataFrame } from "nodejs-polars";
import * as rules from "../../../base/arguments/check_options.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, valueText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { crosshair, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { whiskers } from "../grammar/interval_view.ts";
import { rowOrigin } from "../grammar/subject/frame_subject.ts";
import { layOutChart, nothingView } from "../grammar/subject/lay_out_finding.ts";
import { has, mark } from "../mark.ts";
import { DASHES, MAIN_COLOR, QUIET_COLOR, SERIES_COLORS, SHAPES } from "../palette.ts";
import {
  type PlotColumn,
  type PlotColumns,
  type PlotOptions,
  type PlotRows,
  prepareRows,
  readColumns,
} from "./plot_rows.ts";

const [MOST_PLACES, MOST_NAMES] = [200, 12];
const SECOND = 5;
// A few numbers, such as horizons, are names: a ramp would make the first nearly invisible.
const MOST_NUMBERS = 6;
// A zero that is nearer takes little room.
const FAR_FROM_ZERO = 0.2;
const [POINT_PX, WIDEST_PX] = [6, 40];
const COLUMN = rules.ruleOf<string>("the name of one column", rules.TEXT.accepts);
const RULES: rules.OptionRules<PlotOptions> = {
  x: rules.needed(COLUMN, '"date"'),
  y: rules.either(COLUMN, rules.severalOf<string>("an array of names", rules.TEXT.accepts)),
  color: COLUMN,
  bins: rules.whole(1, 200),
  widthPx: rules.PIXELS,
  mark: rules.oneOf("point", "line", "bar", "histogram"),
  title: rules.TEXT,
  footnote: rules.TEXT,
};
/** Stand-in column for the number of rows, on the vertical axis of a histogram or a count. */
const ROWS = { name: "rows", field: "rows", type: "quantitative", values: [], broken: [] } as const;

/**
 * Draws columns of any frame, for ad-hoc questions: two against each other, several series on one axis, or one as a
 * histogram. Null leaves a gap in a line and a dashed place among bars. An axis of amounts that does not begin at zero says so.
 *
 * Of long lines the first, lowest, highest and last row of each block of neighbours are drawn; many points become a seeded
 * sample that includes the extremes; bars are never thinned. Where rows of a bar repeat, their mean is drawn with its interval. The subtitle says each of these.
 * Axes, ticks and legends are those of Vega-Lite; `chart.with()` adds reference lines, layers and a height.
 *
 * @param frame A Polars frame
 * @param options The columns, and how they are drawn
 * @throws {TypeError} If it is not a frame, a column is missing, or an option is unknown
 * @throws {RangeError} If a mark is another, or there are more places or series than can be told apart
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
 * const counts = plot(frame, { x: "ic", bins: 3 }).with({ rules: [{ x: 0.02, label: "aim" }] });
 * if (!counts.description.includes("Distribution of ic")) throw new Error(counts.description);
 * ```
 */
export function plot(frame: DataFrame, options: PlotOptions): Chart {
  rules.checkOptions("plot", options, RULES);
  const given = readColumns(frame, options);
  const type = options.mark ?? defaultMark(given);
  // Bars that lie are upright ones until they are drawn.
  const isFlat = type === "bar" && given.x.type === "quantitative" && given.y?.type === "nominal";
  const columns = isFlat ? { ...given, x: given.y!, y: given.x } : given;
  const { x, y, color } = columns;
  const { title = titleOf(columns, type, options), widthPx = 640 } = options;
  const origin = rowOrigin(frame, options.footnote);
  const places = [...x.values.keys()].filter((place) => x.values[place] !== null);
  const reason = missing(x) ?? (y === null ? null : missing(y));
  const head = { title, ...origin, widthPx };
  if (reason !== null) {
    const describe = (own: string | null) =>
      `${own === null ? "" : `${own}. `}Nothing to draw: ${reason}.`;
    const views = [nothingView(reason, widthPx)];
    return layOutChart({ ...head, subtitle: () => [], describe, views });
  }
  assertDrawable(columns, type);
  const prepared = prepareRows(places, columns, { ...options, mark: type });
  const cut = [x, y].filter((axis) => axis !== null && omitsZero(axis, axis === x, type));
  const picture = { ...prepared, columns, type, isFlat, widthPx, cut };
  const all = `${countText(x.values.length, "row")}${spanText(x, places)}`;
  const { sampled } = prepared;
  const sample = sampled === undefined ? all : `A sample of ${groupThousands(sampled)} of ${all}`;
  const notes = [...prepared.notes, ...gapNotes(picture)];
  const by = color === null ? "" : ` by ${color.name}`;
  const said = [
    `${sample}, drawn as ${type}${by}. ${rangeText(y ?? x)}`,
    ...cut.map((axis) => `The axis of ${axis!.name} does not begin at 0.`),
    ...notes.map((note) => `${note}.`),
  ];
  const describe = (own: string | null) => `${own === null ? "" : `${own}: `}${said.join(" ")}`;
  const subtitle = () => [sample, ...notes];
  return layOutChart({ ...head, subtitle, describe, views: [viewOf(picture)] });
}

type Mark = NonNullable<PlotOptions["mark"]>;

function defaultMark({ x, y }: PlotColumns): Mark {
  if (y === null) return x.type === "quantitative" ? "histogram" : "bar";
  if (x.type === "nominal" || y.type === "nominal") return "bar";
  return x.type === "temporal" ? "line" : "point";
}

function titleOf({ x, y }: PlotColumns, type: Mark, { y: given }: PlotOptions): string {
  if (type === "histogram") return `Distribution of ${x.name}`;
  if (y === null) return `Rows by ${x.name}`;
  const name = Array.isArray(given) ? given.join(", ") : y.name;
  return `${name} by ${x.name}`;
}

/** Reason that a column has nothing to draw; `null` if it has a value. */
function missing({ name, values }: PlotColumn): string | null {
  if (values.length === 0) return "the frame has no rows";
  const none = `none of the ${countText(values.length, "row")} has a value of ${name}`;
  return values.every((value) => value === null) ? none : null;
}

/** Refuses what no picture can show. */
function assertDrawable({ x, y, color }: PlotColumns, type: Mark): void {
  if (type === "histogram" && x.type !== "quantitative") {
    throw new TypeError(
      `Cannot plot: expected a column of numbers for a histogram, got ${x.name}; leave mark out ` +
        "to count its values",
    );
  }
  for (const column of [x, y, color]) {
    const count = new Set(column?.values).size;
    const most = column === color ? MOST_NAMES : MOST_PLACES;
    if (column?.type !== "nominal" || count <= most) continue;
    throw new RangeError(
      `Cannot plot: expected at most ${most} values of ${column.name}, got ` +
        `${groupThousands(count)}; sort the frame and take head(50), filter it, or group it first`,
    );
  }
}

interface Picture extends PlotRows {
  readonly columns: PlotColumns;
  readonly type: Mark;
  readonly isFlat: boolean;
  readonly widthPx: number;
  /** Columns whose axis omits zero. */
  readonly cut: readonly (PlotColumn | null)[];
}

function spanText({ type, values }: PlotColumn, places: readonly number[]): string {
  const texts = places.map((place) => String(values[place])).toSorted();
  return type === "temporal" ? `, ${texts[0]} to ${texts.at(-1)}` : "";
}

/** Notes on rows that are not drawn, and on bars without a value. */
function gapNotes({ columns: { x, y, color }, type, rows }: Picture): readonly string[] {
  const broken = new Set([x, y, color].flatMap((column) => column?.broken ?? [])).size;
  const lacking = x.values.filter((value) => value === null).length;
  const gaps = type === "bar" ? rows.filter((row) => row[y?.field!] === null).length : 0;
  return ([
    [gaps, `${gaps} of ${countText(rows.length, "bar")}`, "has", "have", "no value: dashed"],
    [broken, countText(broken, "row"), "is", "are", "infinite or not a number"],
    [lacking, countText(lacking, "row"), "has", "have", `no ${x.name}`],
  ] as const).filter(([count]) => count > 0)
    .map(([count, what, one, many, how]) => `${what} ${count === 1 ? one : many} ${how}`);
}

function rangeText({ name, type, values }: PlotColumn): string {
  const lacking = values.filter((value) => value === null).length;
  const nulls = ` ${countText(lacking, "row")} ${lacking === 1 ? "has" : "have"} no ${name}.`;
  const [low, high] = rangeOf(values);
  const said = type === "quantitative"
    ? `lies between ${valueText(low)} and ${valueText(high)}`
    : "is no number";
  return `${name} ${said}.${lacking === 0 ? "" : nulls}`;
}

function rangeOf(values: PlotColumn["values"]): readonly [number, number] {
  const sorted = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  return [sorted[0]!, sorted.at(-1)!];
}

/** True if an axis of amounts omits zero because it is far from all values. Whole numbers on the horizontal axis are places, such as years. */
function omitsZero({ type, values }: PlotColumn, isX: boolean, mark: Mark): boolean {
  const isPlace = isX && values.every((value) => Number.isInteger(value ?? 0));
  const isAmount = mark === "histogram" || (!isX && mark === "bar");
  if (type !== "quantitative" || isPlace || isAmount) return false;
  const [low, high] = rangeOf(values);
  const [near, far] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b);
  return low * high > 0 && low < high && near! > FAR_FROM_ZERO * far!;
}

/** Marks with their intervals, and the places without a value. */
function viewOf(picture: Picture): ChartSpec {
  const { rows, columns: { x, y, color }, type, isFlat, widthPx: width } = picture;
  const { field, type: kind } = y ?? ROWS;
  const channels = channelsOf(picture);
  const isNumeric = x.type !== "nominal" && kind === "quantitative" && type !== "histogram";
  const hasGaps = rows.some((row) => row[field] === null);
  const series = Map.groupBy(rows, (row) => row[color?.field!]);
  const isLone = [...series.values()].some((own) => own.length === 1);
  const bars = new Set(rows.map((row) => row[x.field])).size;
  const drawn = mark(type === "histogram" ? "bar" : type, {
    params: isNumeric ? zoom() : undefined,
    ...type === "point" && { filled: true, opacity: 0.7, size: 24 },
    // A value between two gaps needs a point, because it makes no line.
    ...type === "line" && (hasGaps || isLone) && { point: { size: 20 } },
    ...type === "bar" && isNumeric &&
      { width: Math.max(1, Math.min(WIDEST_PX, 0.8 * width / bars)) },
    tooltip: true,
    ...channels,
  });
  const tips = [x, y ?? ROWS, color].filter((column) => column !== null);
  const layers = [
    drawn,
    ...type === "line" && isNumeric
      ? [crosshair("hover", { x: channels["x"], tooltip: tips.map(tipOf) })]
      : [],
    ...over(picture, channels, hasGaps),
  ].map((layer) => isFlat ? turn(layer) : layer);
  const pictures = layers.length === 1 ? layers[0]! : { layer: layers };
  return { width, height: 240, data: { values: rows }, ...pictures };
}

/** Dashed places of bars without a value, and intervals. */
function over({ columns: { y }, type, hasInterval }: Picture, own: ChartSpec, hasGaps: boolean) {
  const { x, xOffset, color } = own;
  const { field } = y ?? ROWS;
  const [low, high] = [`${field} from`, `${field} to`];
  if (type !== "bar") {
    const band = { opacity: 0.22, x, color, y: { ...own["y"] as ChartSpec, field: low } };
    return hasInterval === true ? [mark("area", { ...band, y2: high })] : [];
  }
  const place = { x, ...xOffset !== undefined && { xOffset } };
  const empty = mark("bar", {
    where: `!${has(field)}`,
    fillOpacity: 0.06,
    fill: QUIET_COLOR,
    stroke: QUIET_COLOR,
    strokeDash: [3, 3],
    ...place,
    y: { value: 0 },
    y2: { value: "height" },
  });
  const intervals = whiskers({ ...place, y: own["y"] }, [low, high]);
  return [...hasGaps ? [empty] : [], ...hasInterval === true ? intervals : []];
}

function tipOf({ field, name, type }: PlotColumn): ChartSpec {
  if (type === "temporal") return sessionTip(name, field);
  return tip(field, name, type === "nominal" ? undefined : ",.6~r");
}

/** A layer of upright bars as one of horizontal ones. */
function turn({ encoding, ...layer }: ChartSpec): ChartSpec {
  const other = (name: string) => name.replace(/^[xy]/, (axis) => axis === "x" ? "y" : "x");
  const channels = Object.entries(encoding as Readonly<Record<string, ChartSpec>>)
    .map(([name, own]) => [other(name), own["value"] === "height" ? { value: "width" } : own]);
  return { ...layer, encoding: Object.fromEntries(channels) };
}

function channelsOf(picture: Picture): ChartSpec {
  const { columns: { x, y, color }, type } = picture;
  const own = { x: axisOf(picture, x), y: axisOf(picture, y ?? ROWS) };
  const looks = color === null ? { color: { value: MAIN_COLOR } } : looksOf(color, type);
  if (type === "histogram") {
    return { ...own, x: { ...own.x, field: "from", bin: "binned" }, x2: { field: "to" }, ...looks };
  }
  const isBeside = type === "bar" && y !== null && color !== null;
  const beside = { xOffset: { field: color?.field, type: "nominal", sort: null } };
  return { ...own, ...looks, ...isBeside && beside };
}

/** Axis of a column, with a note on what it omits. */
function axisOf({ columns, type, rows, cut }: Picture, column: PlotColumn): ChartSpec {
  const { field, type: kind, name, values } = column;
  const isX = column === columns.x;
  // By itself Vega-Lite would put names without a value last.
  const domain = [...new Set(rows.map((row) => row[field]))];
  if (kind === "nominal") return { field, type: kind, title: name, scale: { domain } };
  const room = type === "point" || type === "line" ? { padding: POINT_PX, nice: !isX } : {};
  const utc = { type: "utc", ...room };
  if (kind === "temporal") return { field, type: kind, title: name, scale: utc };
  const isWhole = isX && values.every((value) => Number.isInteger(value ?? 0));
  const isCut = cut.includes(column);
  return {
    field,
    type: "quantitative",
    title: isCut ? `${name}, axis truncated` : name,
    scale: { zero: !isCut && !isWhole, ...room },
    ...isWhole && { axis: { tickMinStep: 1, format: "d" } },
  };
}

/** Channels of the colour column: names in the order of the rows, lines and points with a second look, or a ramp. */
function looksOf({ field, name: title, type, values }: PlotColumn, mark: Mark): ChartSpec {
  if (type === "quantitative" && new Set(values).size > MOST_NUMBERS) {
    return { color: { field, type, title }, ...mark === "line" && { detail: { field } } };
  }
  const own = { field, type: "nominal", title, sort: null, legend: { columns: 4 } };
  const by = (range: readonly unknown[]) => ({ ...own, scale: { range } });
  // Vega begins again with the first of six colours and of five second looks: no two of twelve series look alike.
  return {
    color: by(SERIES_COLORS),
    ...mark === "line" && { strokeDash: by(DASHES.slice(0, SECOND)) },
    ...mark === "point" && { shape: by(SHAPES.slice(0, SECOND)) },
  };
}
