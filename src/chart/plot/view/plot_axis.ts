import type { ChartSpec } from "../../chart_spec.ts";
import { textWidth } from "../../font_widths.ts";
import type { Value } from "../../grammar/values.ts";
import type { PlotAxis, PlotView } from "../plot_columns.ts";

// Midnights are dates, the first of a month is its month, the first of January its year.
const TIME_LABEL =
  "utcFormat(datum.value, utchours(datum.value) + utcminutes(datum.value) > 0 ? '%d %b %H:%M' : " +
  "utcdate(datum.value) > 1 ? '%d %b %Y' : utcmonth(datum.value) > 0 ? '%b %Y' : '%Y')";
const LABEL_PX = 10;

interface AxisPlan {
  readonly scaleType?: "linear" | "log" | undefined;
  readonly domain?: readonly (string | number)[] | undefined;
  readonly padding?: { readonly padding?: number };
}

/** An axis of a picture, with the words that say what it leaves out. */
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
    const time = { tickCount: 8, labelExpr: TIME_LABEL, labelOverlap: true };
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

/** True if all texts stand beside each other below their places. */
function fits(values: readonly Value[], widthPx: number): boolean {
  const widest = Math.max(0, ...values.map((value) => textWidth(String(value)) * LABEL_PX));
  return widest + 6 < widthPx / Math.max(1, values.length);
}
