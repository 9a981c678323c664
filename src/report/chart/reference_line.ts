import type { ChartSpec } from "./chart_spec.ts";
import { mark } from "./mark.ts";

/** A dashed line at a value of one axis, and the label beside it, if it has one. */
export function referenceLine(
  { x, y, label }: {
    readonly x?: number | string;
    readonly y?: number | string;
    readonly label?: string;
  },
  { scaleOf, places, color }: {
    /** Type and scale of an axis. */
    readonly scaleOf: (axis: "x" | "y") => ChartSpec;
    /** Where a label stands beside a line at a value of each axis. */
    readonly places: Readonly<Record<"x" | "y", ChartSpec>>;
    readonly color?: string;
  },
): readonly ChartSpec[] {
  const axis = x === undefined ? "y" : "x";
  const at = {
    rows: [{ at: x ?? y, label: label ?? "" }],
    [axis]: { field: "at", ...scaleOf(axis) },
  };
  const line = mark("rule", { ...at, strokeDash: [4, 3], color });
  const text = mark("text", { fontSize: 10, ...places[axis], ...at, text: { field: "label" } });
  return label === undefined ? [line] : [line, text];
}
