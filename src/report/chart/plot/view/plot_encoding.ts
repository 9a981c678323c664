import type { ChartSpec } from "../../chart_spec.ts";
import { axisOf } from "./plot_axis.ts";
import type { PlotView } from "../plot_columns.ts";
import { colorChannels } from "./series_looks.ts";

const POINT_PX = 6;

/** The channels of the marks. */
export function encodingOf(view: PlotView): ChartSpec {
  const { x, y, mark, columns: { color, size }, prepared, options } = view;
  // Zooming clips the picture, which would cut a point on its edge in half.
  const hasPoints = mark === "point" || mark === "line";
  const padding = hasPoints ? { padding: POINT_PX } : {};
  const ends = hasPoints ? { ...padding, nice: false } : {};
  if (mark === "histogram") {
    return {
      x: { ...axisOf(x, { scaleType: options.xScale }, view), field: "from", bin: "binned" },
      x2: { field: "to" },
      y: axisOf(y, {}, view),
      ...colorChannels(color, view),
    };
  }
  const isBeside = mark === "bar" && color !== null && !prepared.isStacked;
  return {
    x: axisOf(x, { scaleType: options.xScale, domain: options.xDomain, padding: ends }, view),
    y: axisOf(y, { scaleType: options.yScale, domain: options.yDomain, padding }, view),
    ...colorChannels(color, view),
    ...(isBeside && {
      // Layers with other rows have the same places.
      xOffset: {
        field: color.field,
        type: "nominal",
        scale: { domain: [...new Set(prepared.rows.map((row) => row[color.field]))] },
      },
    }),
    ...(size !== null && { size: { field: size.field, type: "quantitative", title: size.name } }),
  };
}
