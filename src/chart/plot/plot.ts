import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { nearestName } from "../../arguments/nearest_name.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { assertWidth } from "../grammar/analysis_subject.ts";
import { originText } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { DIVERGING_COLORS, SEQUENTIAL_COLORS, SERIES_COLORS } from "../grammar/palette.ts";
import { inBlocks, type Row, toValue } from "../grammar/values.ts";
import { lonePoints } from "./lone_points.ts";
import { marksOf } from "./marks_of.ts";
import { assertFrame } from "../../frame/assert_frame.ts";

/** How {@link plot} draws a row. */
export type PlotMark = "point" | "line" | "bar" | "area" | "tick" | "rect" | "boxplot";

const MARKS: readonly PlotMark[] = ["point", "line", "bar", "area", "tick", "rect", "boxplot"];
// Midnights are dates, the first of a month is its month, the first of January its year.
const TIME_LABEL =
  "utcFormat(datum.value, utchours(datum.value) + utcminutes(datum.value) > 0 ? '%d %b %H:%M' : " +
  "utcdate(datum.value) > 1 ? '%d %b %Y' : utcmonth(datum.value) > 0 ? '%b %Y' : '%Y')";
const MOST_BYTES = 100_000;
const POINT_PX = 6;
// Nearer than that, zero takes little room.
const FAR_FROM_ZERO = 0.2;

/** A table that gives its rows as objects, such as one of Arquero. */
export interface RowTable {
  /** Names of the columns. */
  columnNames(): string[];
  /** The rows. */
  objects(): object[];
}

/** Options of {@link plot}. */
export interface PlotOptions {
  /** The column of the horizontal axis. */
  readonly x: string;
  /** The column of the vertical axis. */
  readonly y: string;
  /**
   * The column that sets the colour.
   *
   * @default one colour
   */
  readonly color?: string;
  /**
   * How a row is drawn.
   *
   * @default "line" where x is a date or an instant, "bar" where it is text, else "point"
   */
  readonly mark?: PlotMark;
  /**
   * Title.
   *
   * @default the names of both columns
   */
  readonly title?: string;
  /**
   * Width of the plot in pixels.
   *
   * @default 640
   */
  readonly widthPx?: number;
}

/**
 * Draws two columns of any frame against each other, for the question of the moment. Null leaves a gap in a line. An axis of
 * amounts that does not begin at zero says so, in its title and in the description. Where the rows would take more than 100 kB, every so many of them are drawn, and the subtitle says of how many.
 *
 * @param frame A Polars frame, or a table of Arquero
 * @param options The columns, and how they are drawn
 * @throws {TypeError} If it is no frame, a column is missing, or an option unknown
 * @throws {RangeError} If the mark is another
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
 * ```
 */
export function plot(frame: DataFrame | RowTable, options: PlotOptions): Chart {
  const action = "plot";
  assertKnownOptions(action, options, ["x", "y", "color", "mark", "title", "widthPx"]);
  const { x, y, color, title = `${y} by ${x}`, widthPx = 640 } = options;
  assertWidth(action, widthPx);
  const names = [...new Set([x, y, ...(color === undefined ? [] : [color])])];
  const all = readRows(action, frame, names);
  const types = Object.fromEntries(names.map((name) => [name, typeOf(all, name)]));
  const mark = options.mark ?? defaultMark(types[x]!);
  if (!MARKS.includes(mark)) {
    throw new RangeError(`Cannot ${action}: mark is one of ${MARKS.join(", ")}, got ${mark}`);
  }
  const { rows, step } = thin(all);
  const note = step === 1 ? [] : [`Drawn is one row of every ${step}, by the order of the frame`];
  const sample = `${groupThousands(all.length)} rows${spanText(all, x, types[x]!)}`;
  const cut = [x, y].filter((name) =>
    types[name] === "quantitative" && isCut(all, name) && !(name === y && isAmount(mark)) &&
    !(name === x && holdsPlaces(all, x))
  );
  const footnote = "columnNames" in frame ? "A table of Arquero" : originText(frame);
  return layOutChart({
    title,
    subtitle: [sample, ...note],
    footnote,
    widthPx,
    description: `${title}: ${sample}, drawn as ${mark}${
      color === undefined ? "" : ` by ${color}`
    }. ${rangeText(all, y, types[y]!)}${
      cut.map((name) => ` The axis of ${name} does not begin at 0.`).join("")
    }`,
    views: [view(rows, { ...options, mark, widthPx, cut }, types)],
  });
}

type FieldType = "temporal" | "quantitative" | "nominal";

function readRows(
  action: string,
  frame: DataFrame | RowTable,
  names: readonly string[],
): readonly Row[] {
  const isTable = typeof (frame as Partial<RowTable> | null)?.columnNames === "function";
  if (!isTable) assertFrame(action, frame);
  const columns = isTable ? (frame as RowTable).columnNames() : (frame as DataFrame).columns;
  for (const name of names) {
    if (columns.includes(name)) continue;
    const near = nearestName(String(name), columns);
    throw new TypeError(
      `Cannot ${action}: a column of the frame is required, ${columns.join(", ")}; got ${name}` +
        (near === null || near === undefined ? "" : `; do you mean ${near}?`),
    );
  }
  const rows = isTable
    ? (frame as RowTable).objects()
    : (frame as DataFrame).select(...names).toRecords();
  return rows.map((row) =>
    Object.fromEntries(names.map((name) => [name, toValue((row as Record<string, unknown>)[name])]))
  );
}

const DATE = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/;

function typeOf(rows: readonly Row[], name: string): FieldType {
  const known = rows.map((row) => row[name]).filter((value) => value !== null);
  if (known.length > 0 && known.every((value) => typeof value === "number")) return "quantitative";
  const isDate = known.length > 0 && known.every((value) => DATE.test(String(value)));
  return isDate ? "temporal" : "nominal";
}

function defaultMark(x: FieldType): PlotMark {
  return x === "temporal" ? "line" : x === "nominal" ? "bar" : "point";
}

function thin(rows: readonly Row[]): { readonly rows: readonly Row[]; readonly step: number } {
  const sample = JSON.stringify(rows.slice(0, 100)).length /
    Math.max(1, Math.min(100, rows.length));
  const blocks = inBlocks(rows, Math.max(1, Math.floor(0.8 * MOST_BYTES / Math.max(1, sample))));
  return { rows: blocks.map((block) => block[0]!), step: blocks[0]?.length ?? 1 };
}

function spanText(rows: readonly Row[], x: string, type: FieldType): string {
  if (type !== "temporal") return "";
  const dates = rows.map((row) => String(row[x])).filter((text) => text !== "null").toSorted();
  return dates.length === 0 ? "" : `, ${dates[0]} to ${dates.at(-1)}`;
}

function rangeText(rows: readonly Row[], y: string, type: FieldType): string {
  const missing = rows.filter((row) => row[y] === null).length;
  const nulls = missing === 0
    ? ""
    : missing === 1
    ? ` 1 row has no ${y}.`
    : ` ${groupThousands(missing)} rows have no ${y}.`;
  if (type !== "quantitative") return `${y} is no number.${nulls}`;
  const values = rows.map((row) => row[y]).filter((value) => typeof value === "number");
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  return `${y} lies between ${low} and ${high}.${nulls}`;
}

// A bar or an area that does not begin at zero would show a share that is not there.
function isAmount(mark: PlotMark): boolean {
  return mark === "bar" || mark === "area";
}

// Whole numbers along the horizontal axis, such as years, are places and no amounts.
function holdsPlaces(rows: readonly Row[], x: string): boolean {
  return rows.every((row) => row[x] === null || Number.isInteger(row[x]));
}

/** Whether zero is far from all values, so that an axis leaves it out. */
function isCut(rows: readonly Row[], name: string): boolean {
  const values = rows.map((row) => row[name]).filter((value) => typeof value === "number");
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const [near, far] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b);
  return low * high > 0 && near! > FAR_FROM_ZERO * far!;
}

function view(
  rows: readonly Row[],
  options: PlotOptions & { readonly widthPx: number; readonly cut: readonly string[] },
  types: Readonly<Record<string, FieldType>>,
): ChartSpec {
  const { x, y, color, mark, widthPx, cut } = options;
  const isPlain = types[x] !== "nominal" && mark !== "boxplot" && mark !== "rect";
  const params = [{ name: "zoom", select: "interval", bind: "scales" }];
  const alone = mark === "line" ? lonePoints(rows, { x, y, color }) : [];
  // A point on the edge of a picture that zooms is cut in half.
  const padding = alone.length > 0 ? { padding: POINT_PX } : {};
  return {
    width: widthPx,
    height: 240,
    data: { values: rows },
    ...marksOf(alone, options, isPlain ? { params } : {}),
    encoding: {
      x: axisOf(x, types[x]!, {
        isCut: cut.includes(x),
        isWhole: holdsPlaces(rows, x),
        scale: { zero: !holdsPlaces(rows, x), ...padding },
      }),
      y: axisOf(y, types[y]!, { isCut: cut.includes(y), scale: { zero: true, ...padding } }),
      ...(color !== undefined && { color: colorOf(color, types[color]!, rows) }),
      ...(mark !== "boxplot" &&
        {
          tooltip: Object.entries(types).map(([name, type]) => ({
            field: literal(name),
            type,
            title: name,
          })),
        }),
    },
  };
}

interface AxisPlan {
  readonly isCut: boolean;
  /** Whether all values are whole numbers, between which nothing stands. */
  readonly isWhole?: boolean;
  readonly scale: { readonly zero: boolean; readonly padding?: number };
}

function axisOf(
  name: string,
  type: FieldType,
  { isCut, isWhole = false, scale: { zero, ...scale } }: AxisPlan,
): ChartSpec {
  return {
    field: literal(name),
    type,
    title: isCut ? `${name}, not from 0` : name,
    ...(type === "temporal" && {
      scale: { type: "utc", ...scale },
      axis: { tickCount: 8, labelExpr: TIME_LABEL, labelOverlap: true },
    }),
    ...(type === "quantitative" && { scale: { zero: zero && !isCut, ...scale } }),
    ...(type === "quantitative" && isWhole && { axis: { tickMinStep: 1 } }),
  };
}

function colorOf(name: string, type: FieldType, rows: readonly Row[]): ChartSpec {
  // A few numbers, such as horizons, are names: a ramp would make the first of them nearly invisible.
  const isName = type !== "quantitative" || new Set(rows.map((row) => row[name])).size <= 6;
  if (isName) {
    return {
      field: literal(name),
      type: "nominal",
      title: name,
      scale: { range: [...SERIES_COLORS] },
    };
  }
  const isSigned = rows.some((row) => Number(row[name]) < 0);
  const range = isSigned ? [...DIVERGING_COLORS] : [...SEQUENTIAL_COLORS];
  return {
    field: literal(name),
    type,
    title: name,
    scale: { range, interpolate: "rgb", ...(isSigned && { domainMid: 0 }) },
  };
}

// To Vega-Lite a dot or a bracket in a name is a path.
function literal(name: string): string {
  return name.replaceAll(/[.[\]]/g, (character) => `\\${character}`);
}
