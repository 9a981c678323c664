import type { ChartSpec } from "../chart_spec.ts";
import type { Row, Value } from "../grammar/values.ts";
import { DIVERGING_COLORS, SEQUENTIAL_COLORS, SERIES_COLORS } from "../palette.ts";
import type { PlotColumn } from "./plot_columns.ts";
import type { PlotMark } from "./plot_options.ts";

// Every reader can distinguish the first four colours; with three looks each, they make twelve series.
const SAFE_COLORS = SERIES_COLORS.slice(0, 4);
const SECOND_LOOKS: Partial<Record<PlotMark, readonly [string, readonly unknown[]]>> = {
  line: ["strokeDash", [[1, 0], [6, 3], [1.5, 2]]],
  point: ["shape", ["circle", "triangle-up", "square"]],
  bar: ["fillOpacity", [1, 0.55, 0.25]],
  area: ["fillOpacity", [1, 0.55, 0.25]],
  histogram: ["fillOpacity", [1, 0.55, 0.25]],
};
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

/** Channels of a colour column: names in the order of the rows, more than four with a second look, or a ramp. */
export function colorChannels(
  column: PlotColumn | null,
  rows: readonly Row[],
  mark: PlotMark,
): ChartSpec {
  if (column === null) return {};
  const { field, name: title } = column;
  const names = seriesNames(column, rows, mark);
  if (names === null) {
    const isSigned = rows.some((row) => Number(row[field]) < 0);
    const range = isSigned ? [...DIVERGING_COLORS] : [...SEQUENTIAL_COLORS];
    const scale = { range, interpolate: "rgb", ...(isSigned && { domainMid: 0 }) };
    const isLine = mark === "line" || mark === "area";
    return {
      color: { field, type: "quantitative", title, scale },
      ...(isLine && { detail: { field } }),
    };
  }
  const isMany = names.length > SAFE_COLORS.length;
  const look = (of: (i: number) => unknown) => ({
    ...{ field, type: "nominal", title, sort: null },
    scale: { domain: names, range: names.map((_, i) => of(i)) },
  });
  const legend = { symbolLimit: names.length, columns: 6 };
  const color = { ...look((i) => isMany ? SAFE_COLORS[i % 4] : SERIES_COLORS[i]), legend };
  const second = isMany ? SECOND_LOOKS[mark] : undefined;
  if (second === undefined) return { color };
  const [channel, looks] = second;
  return {
    color,
    [channel]: look((i) => looks[Math.floor(i / 4) % 3]),
    ...(channel === "fillOpacity" && { stroke: color }),
  };
}
