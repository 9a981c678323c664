import type { ChartSpec } from "../../chart_spec.ts";
import { axisOf } from "./plot_axis.ts";
import type { PlotView } from "../plot_columns.ts";
import { colorChannels } from "./series_looks.ts";

const POINT_PX = 6;

/** The channels of the marks. */
export function encodingOf(view: PlotView, isLone: boolean): ChartSpec {
  const { x, y, mark, columns: { color, size }, prepared, options } = view;
  // Zooming clips the picture, which would cut a point on its edge in half.
  const padding = isLone || mark === "point" ? { padding: POINT_PX } : {};
  const ends = mark === "point" || mark === "line" ? { padding: POINT_PX, nice: false } : padding;
  if (mark === "histogram") {
    return {
      x: { ...axisOf(x, { scaleType: options.xScale }, view), field: "from", bin: "binned" },
      x2: { field: "to" },
      y: axisOf(y, {}, view),
      ...colorChannels(color, view),
    };
  }
  const isBeside = mark === "bar" && color !== null && !prepared.isStacked;
  const offset = y.type === "nominal" && x.type === "quantitative" ? "yOffset" : "xOffset";
  return {
    x: axisOf(x, { scaleType: options.xScale, domain: options.xDomain, padding: ends }, view),
    y: axisOf(y, { scaleType: options.yScale, domain: options.yDomain, padding }, view),
    ...colorChannels(color, view),
    ...(isBeside && { [offset]: { field: color.field, type: "nominal" } }),
    ...(size !== null && { size: { field: size.field, type: "quantitative", title: size.name } }),
  };
}
