import type { ChartSpec } from "../../chart_spec.ts";
import { has, mark } from "../../mark.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../../palette.ts";
import type { PlotView } from "../plot_columns.ts";
import { encodingOf } from "./plot_encoding.ts";

/** Marks for bars without height: a dashed outline for a null, a line for a zero. */
export function barSigns(view: PlotView): readonly ChartSpec[] {
  const { y: { field }, prepared: { rows, isStacked } } = view;
  const { x, xOffset, color = MAIN_COLOR } = encodingOf(view);
  const outline = { fillOpacity: 0.06, fill: QUIET_COLOR, stroke: QUIET_COLOR, strokeDash: [3, 3] };
  const height = { y: { value: 0 }, y2: { value: "height" } };
  const empty = mark("bar", { where: `!${has(field)}`, ...outline, x, xOffset, ...height });
  const zero = mark("tick", {
    where: `datum[${JSON.stringify(field)}] === 0`,
    ...{ thickness: 2, x, xOffset, y: { field, type: "quantitative" }, color },
  });
  const isThere = (wanted: null | 0) => rows.some((row) => row[field] === wanted);
  return [...(isThere(null) ? [empty] : []), ...(isThere(0) && !isStacked ? [zero] : [])];
}
