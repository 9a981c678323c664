import type { ChartSpec } from "../../chart_spec.ts";
import type { Value } from "../../grammar/values.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../../palette.ts";
import type { PlotView } from "../plot_columns.ts";
import { encodingOf } from "./plot_encoding.ts";

/** Marks for bars without height: a dashed outline for a null, a line for a zero. */
export function barSigns(view: PlotView): readonly ChartSpec[] {
  const { x, y, prepared: { rows }, columns: { color } } = view;
  const isUpright = y.type === "quantitative";
  const amount = isUpright ? y : x;
  const encoding = encodingOf(view, false) as Record<string, ChartSpec>;
  const names = isUpright ? ["x", "xOffset"] : ["y", "yOffset"];
  const place = Object.fromEntries(
    names.flatMap((name) => encoding[name] ? [[name, encoding[name]]] : []),
  );
  const at = (value: unknown) => ({ [isUpright ? "y" : "x"]: value });
  const value = `datum[${JSON.stringify(amount.field)}]`;
  const ends = isUpright
    ? { y: { value: 0 }, y2: { value: "height" } }
    : { x: { value: 0 }, x2: { value: "width" } };
  const dashed = {
    transform: [{ filter: `!isValid(${value})` }],
    mark: {
      type: "bar",
      fillOpacity: 0.06,
      fill: QUIET_COLOR,
      stroke: QUIET_COLOR,
      strokeDash: [3, 3],
    },
    encoding: { ...place, ...ends },
  };
  const zero = {
    transform: [{ filter: `${value} === 0` }],
    mark: { type: "tick", thickness: 2, ...(color === null && { color: MAIN_COLOR }) },
    encoding: {
      ...place,
      ...at({ field: amount.field, type: "quantitative" }),
      ...(color !== null && { color: encoding["color"] }),
    },
  };
  const has = (wanted: Value) => rows.some((row) => row[amount.field] === wanted);
  return [...(has(null) ? [dashed] : []), ...(has(0) && !view.prepared.isStacked ? [zero] : [])];
}
