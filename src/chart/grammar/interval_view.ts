import type { ChartSpec } from "../chart_spec.ts";
import { meanTips, quantity, rulesAt, tip } from "./encodings.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../palette.ts";
import type { Row } from "./values.ts";

/** Drawing of points with intervals. */
export interface IntervalViewOptions {
  readonly width: number;
  /** Title of the axis. */
  readonly title: string;
  /** Colour of a part. @default the colour of the subject */
  readonly color?: ChartSpec;
  /** Form of a point. @default a circle */
  readonly shape?: ChartSpec;
}

/** Parts below each other, each a point with its interval: `part`, `mean`, `low`, `high`, `sessions`. */
export function pointsWithIntervals(rows: readonly Row[], options: IntervalViewOptions): ChartSpec {
  const { width, title, color = { value: MAIN_COLOR }, shape } = options;
  // A part without an interval keeps its place among those of the layer of intervals.
  const sort = rows.map((row) => row["part"]);
  const y = { field: "part", type: "nominal", sort, title: null, axis: { labelLimit: 220 } };
  const x = quantity("mean", { title });
  return {
    width,
    height: Math.max(60, 22 * rows.length),
    layer: [
      rulesAt([{ at: 0 }], "at", { color: QUIET_COLOR }),
      {
        data: { values: rows },
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", strokeWidth: 2 },
        encoding: { y, x: { ...x, field: "low" }, x2: { field: "high" }, color },
      },
      {
        data: { values: rows },
        mark: { type: "point", filled: true, size: 70 },
        encoding: {
          y,
          x,
          color,
          ...(shape !== undefined && { shape }),
          tooltip: [tip("part", "part"), ...meanTips("mean")],
        },
      },
    ],
  };
}
