import type { ChartSpec } from "../../chart_spec.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../../palette.ts";
import type { PlotView } from "../plot_columns.ts";
import { encodingOf } from "./plot_encoding.ts";

/** Marks for bars without height: a dashed outline for a null, a line for a zero. */
export function barSigns(view: PlotView): readonly ChartSpec[] {
  const { y: { field }, prepared: { rows, isStacked } } = view;
  const { x, xOffset, color } = encodingOf(view) as Record<string, ChartSpec>;
  const place = { x, ...xOffset && { xOffset } };
  const value = `datum[${JSON.stringify(field)}]`;
  const outline = { fillOpacity: 0.06, fill: QUIET_COLOR, stroke: QUIET_COLOR };
  const dashed = {
    transform: [{ filter: `!isValid(${value})` }],
    mark: { type: "bar", ...outline, strokeDash: [3, 3] },
    encoding: { ...place, y: { value: 0 }, y2: { value: "height" } },
  };
  const zero = {
    transform: [{ filter: `${value} === 0` }],
    mark: { type: "tick", thickness: 2, ...(color === undefined && { color: MAIN_COLOR }) },
    encoding: { ...place, y: { field, type: "quantitative" }, ...color && { color } },
  };
  const has = (wanted: null | 0) => rows.some((row) => row[field] === wanted);
  return [...(has(null) ? [dashed] : []), ...(has(0) && !isStacked ? [zero] : [])];
}
