import type { ChartSpec } from "../../chart_spec.ts";
import { mark } from "../../mark.ts";
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
  const fill = color === null ? MAIN_COLOR : colorOf(color, view.prepared.rows, view.mark);
  const tooltip = ["low", "first", "middle", "third", "high", "rows"]
    .map((field) => ({ field, type: "quantitative", title: field }));
  const base = { x: place, ...offset };
  const box = { width: { band: 0.6 }, ...base, color: fill, tooltip };
  return [
    mark("rule", { ...base, y: amount("low"), y2: "high" }),
    mark("bar", { ...box, y: amount("first"), y2: "third" }),
    mark("tick", { thickness: 2, color: "white", bandSize: 14, ...base, y: amount("middle") }),
  ];
}
