import type { ChartSpec } from "../../chart_spec.ts";
import { QUIET_COLOR } from "../../palette.ts";
import type { PlotView } from "../plot_columns.ts";
import type { PlotRule } from "../plot_options.ts";

/** A reference line, and its label. */
export function ruleLayers(
  { x, y, label }: PlotRule,
  view: PlotView,
): readonly ChartSpec[] {
  const channel = x === undefined ? "y" : "x";
  const { type } = view[view.isFlat ? channel === "x" ? "y" : "x" : channel];
  const at = {
    [channel]: { field: "at", type, ...(type === "temporal" && { scale: { type: "utc" } }) },
  };
  const data = { values: [{ at: x ?? y!, label: label ?? "" }] };
  const line = {
    data,
    mark: { type: "rule", strokeDash: [4, 3], color: QUIET_COLOR },
    encoding: at,
  };
  if (label === undefined) return [line];
  const beside = channel === "x"
    ? { align: "left", dx: 4, y: -6 }
    : { align: "right", dy: -6, x: view.widthPx };
  const text = {
    data,
    mark: { type: "text", fontSize: 10, ...beside },
    encoding: { ...at, text: { field: "label" } },
  };
  return [line, text];
}
