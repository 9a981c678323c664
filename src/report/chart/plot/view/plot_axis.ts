import type { ChartSpec } from "../../chart_spec.ts";
import { textWidth } from "../../font_widths.ts";
import { INSTANT_LABEL } from "../../grammar/encodings.ts";
import type { Value } from "../../grammar/values.ts";
import type { PlotAxis, PlotView } from "../plot_columns.ts";

const LABEL_PX = 10;

interface AxisPlan {
  readonly scaleType?: "linear" | "log" | undefined;
  readonly domain?: readonly (string | number)[] | undefined;
  readonly padding?: { readonly padding?: number; readonly nice?: boolean };
}

/** Axis of a picture, with a note on what it omits. */
export function axisOf(
  axis: PlotAxis,
  { scaleType, domain, padding = {} }: AxisPlan,
  view: PlotView,
): ChartSpec {
  const { field, name, type, values, isCut, isWhole } = axis;
  const isLog = scaleType === "log";
  const ends = domain === undefined ? {} : {
    domain: type === "temporal" ? domain.map((end) => Date.parse(String(end))) : domain,
    nice: false,
  };
  const title = isLog ? `${name}, logarithmic` : isCut ? `${name}, axis truncated` : name;
  if (type === "temporal") {
    const time = { tickCount: 8, labelExpr: INSTANT_LABEL, labelOverlap: true };
    return { field, type, title, scale: { type: "utc", ...padding, ...ends }, axis: time };
  }
  if (type === "nominal") {
    const isFlat = axis === view.x && fits(values, view.widthPx);
    return {
      field,
      type,
      title,
      sort: values,
      scale: { domain: values },
      ...(isFlat && { axis: { labelAngle: 0 } }),
    };
  }
  const zero = !isCut && !isWhole;
  return {
    field,
    type,
    title,
    scale: { ...(isLog ? { type: "log" } : { zero }), ...padding, ...ends },
    ...(isWhole && { axis: { tickMinStep: 1 } }),
    ...(view.mark === "bar" || view.mark === "area"
      ? { stack: view.prepared.isStacked && axis.type === "quantitative" ? "zero" : null }
      : {}),
  };
}

/** True if all labels fit side by side below their positions. */
function fits(values: readonly Value[], widthPx: number): boolean {
  const widest = Math.max(0, ...values.map((value) => textWidth(String(value)) * LABEL_PX));
  return widest + 6 < widthPx / Math.max(1, values.length);
}
