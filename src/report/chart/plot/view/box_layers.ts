import type { ChartSpec } from "../../chart_spec.ts";
import { MAIN_COLOR } from "../../palette.ts";
import { axisOf } from "./plot_axis.ts";
import type { PlotView } from "../plot_columns.ts";
import { colorOf } from "./series_looks.ts";

/** Boxes of the quartiles with whiskers to the extremes. */
export function boxLayers(view: PlotView): readonly ChartSpec[] {
  const { x, y, columns: { color }, options } = view;
  const place = axisOf(x, {}, view);
  const amount = (field: string) => ({
    ...axisOf(y, { scaleType: options.yScale, domain: options.yDomain }, view),
    field,
  });
  const offset = color === null ? {} : { xOffset: { field: color.field, type: "nominal" } };
  const tips = ["low", "first", "middle", "third", "high", "rows"]
    .map((field) => ({ field, type: "quantitative", title: field }));
  const fill = color === null ? {} : { color: colorOf(color, view.prepared.rows, view.mark) };
  const base = { x: place, ...offset };
  return [
    { mark: { type: "rule" }, encoding: { ...base, y: amount("low"), y2: { field: "high" } } },
    {
      mark: {
        type: "bar",
        width: { band: 0.6 },
        ...(color === null && { color: MAIN_COLOR }),
      },
      encoding: { ...base, ...fill, y: amount("first"), y2: { field: "third" }, tooltip: tips },
    },
    {
      mark: { type: "tick", thickness: 2, color: "white", bandSize: 14 },
      encoding: { ...base, y: amount("middle") },
    },
  ];
}
