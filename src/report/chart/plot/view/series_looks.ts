import type { ChartSpec } from "../../chart_spec.ts";
import type { Row, Value } from "../../grammar/values.ts";
import { DIVERGING_COLORS, SEQUENTIAL_COLORS, SERIES_COLORS } from "../../palette.ts";
import type { PlotMark } from "../plot_options.ts";
import type { PlotView } from "../plot_columns.ts";
import type { PlotColumn } from "../plot_columns.ts";

// Every reader can distinguish the first four colours; with three looks each, they make twelve series.
const SAFE_COLORS = SERIES_COLORS.slice(0, 4);
const DASHES = [[1, 0], [6, 3], [1.5, 2]];
const SHAPES = ["circle", "triangle-up", "square"];
const FILLS = [1, 0.55, 0.25];
const MOST_NAMES = 6;

/** True if the values of a colour column are names; a few numbers, such as horizons, are: a ramp would make the first nearly invisible. */
export function areNames(color: PlotColumn, values: ReadonlySet<Value>): boolean {
  return color.type !== "quantitative" || values.size <= MOST_NAMES;
}

/** Named values of a colour column; `null` for a ramp of numbers. */
export function seriesNames(
  color: PlotColumn,
  rows: readonly Row[],
  mark: PlotMark,
): readonly Value[] | null {
  const values = new Set(rows.map((row) => row[color.field] ?? null));
  const isRamp = mark === "rect" && color.type === "quantitative";
  return isRamp || !areNames(color, values) ? null : [...values];
}

/** Channels of a colour column; more than four series also differ in a second look. */
export function colorChannels(color: PlotColumn | null, { prepared, mark }: PlotView): ChartSpec {
  if (color === null) return {};
  const { rows } = prepared;
  const names = seriesNames(color, rows, mark);
  const main = { color: colorOf(color, rows, mark) };
  if (names === null) {
    const isLine = mark === "line" || mark === "area";
    return { ...main, ...(isLine && { detail: { field: color.field } }) };
  }
  if (names.length <= SAFE_COLORS.length) return main;
  const look = (range: readonly unknown[]) => ({
    field: color.field,
    type: "nominal",
    title: color.name,
    sort: null,
    scale: { domain: names, range: names.map((_, i) => range[Math.floor(i / 4) % 3]) },
  });
  if (mark === "line") return { ...main, strokeDash: look(DASHES) };
  if (mark === "point") return { ...main, shape: look(SHAPES) };
  return mark === "tick" || mark === "rect"
    ? main
    : { ...main, fillOpacity: look(FILLS), stroke: main.color };
}

/** The colour of a column: names in the order of the rows, or a ramp. */
export function colorOf(color: PlotColumn, rows: readonly Row[], mark: PlotMark): ChartSpec {
  const { field, name: title } = color;
  const names = seriesNames(color, rows, mark);
  if (names !== null) {
    const isMany = names.length > SAFE_COLORS.length;
    const range = names.map((_, i) => isMany ? SAFE_COLORS[i % 4] : SERIES_COLORS[i]);
    const legend = { symbolLimit: names.length, columns: 6 };
    return { field, type: "nominal", title, sort: null, scale: { domain: names, range }, legend };
  }
  const isSigned = rows.some((row) => Number(row[field]) < 0);
  const range = isSigned ? [...DIVERGING_COLORS] : [...SEQUENTIAL_COLORS];
  const scale = { range, interpolate: "rgb", ...(isSigned && { domainMid: 0 }) };
  return { field, type: "quantitative", title, scale };
}
