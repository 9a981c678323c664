import type { ChartSpec } from "../chart_spec.ts";
import { meanTips, quantity, rulesAt, tip } from "./encodings.ts";
import { MAIN_COLOR, QUIET_COLOR, TEXT_COLOR } from "../palette.ts";
import type { Row } from "./values.ts";

/** Options of points with intervals. */
export interface IntervalViewOptions {
  readonly width: number;
  /** Title of the axis. */
  readonly title: string;
  /** Colour of a part. @default the colour of the subject */
  readonly color?: ChartSpec;
  /** Shape of a point. @default a circle */
  readonly shape?: ChartSpec;
  /** Place of a row among those of its part. @default one row per part */
  readonly offset?: ChartSpec;
}

/** Colours of an interval over a bar: it is seen within the bar and beyond it, on a light and on a dark ground. */
const WHISKER = [
  { color: "white", strokeWidth: 3, opacity: 0.8 },
  { color: "#1a1a1a", strokeWidth: 1.5 },
];

/** Intervals over bars, from `low` to `high`, none where `low` is null. */
export function whiskers(
  place: ChartSpec,
  { low, high, channel = "y" }: {
    readonly low: string;
    readonly high: string;
    readonly channel?: "x" | "y";
  },
): readonly ChartSpec[] {
  return WHISKER.map((look) => ({
    transform: [{ filter: `isValid(datum[${JSON.stringify(low)}])` }],
    mark: { type: "rule", ...look },
    encoding: {
      ...place,
      [channel]: { ...place[channel] as ChartSpec, field: low, type: "quantitative" },
      [`${channel}2`]: { field: high },
    },
  }));
}

/** Points over numbers, with their intervals. */
export function pointsOver(
  rows: readonly Row[],
  { x, title, fields: [value, low, high] = ["mean", "low", "high"], tooltip }: {
    readonly x: ChartSpec;
    readonly title: string;
    /** Value and ends of the interval. @default mean, low, high */
    readonly fields?: readonly [string, string, string];
    readonly tooltip: readonly ChartSpec[];
  },
): readonly ChartSpec[] {
  const [data, y] = [{ values: rows }, (field: string) => quantity(field, { title })];
  return [
    {
      data,
      mark: { type: "rule", color: MAIN_COLOR, opacity: 0.55 },
      encoding: { x, y: y(low), y2: { field: high } },
    },
    {
      data,
      mark: { type: "point", filled: true, size: 30, color: MAIN_COLOR },
      encoding: { x, y: y(value), tooltip },
    },
  ];
}

const POINT = { type: "point", size: 70 };
const TESTED = [{ filter: "isValid(datum.low)" }];
const UNTESTED = [{ filter: "!isValid(datum.low)" }];

/** One row per part, a point with its interval, or a hollow point with its number of sessions if it has none: `part`, `mean`, `low`, `high`, `sessions`. */
export function pointsWithIntervals(rows: readonly Row[], options: IntervalViewOptions): ChartSpec {
  const { width, title, color = { value: MAIN_COLOR }, shape, offset } = options;
  // A part without an interval keeps its place among those of the layer of intervals.
  const sort = [...new Set(rows.map((row) => row["part"]))];
  const y = {
    y: { field: "part", type: "nominal", sort, title: null, axis: { labelLimit: 220 } },
    ...offset && { yOffset: offset },
  };
  const x = quantity("mean", { title });
  const points = {
    ...y,
    x,
    color,
    ...(shape !== undefined && { shape }),
    tooltip: [tip("part", "part"), ...meanTips("mean")],
  };
  const values = rows.map((row) => row["low"] === null ? { ...row, few: fewText(row) } : row);
  const data = { values };
  return {
    width,
    height: Math.max(60, (offset === undefined ? 22 : 13) * rows.length),
    layer: [
      rulesAt([{ at: 0 }], "at", { color: QUIET_COLOR }),
      {
        data,
        transform: TESTED,
        mark: { type: "rule", strokeWidth: 2 },
        encoding: { ...y, x: { ...x, field: "low" }, x2: { field: "high" }, color },
      },
      { data, transform: TESTED, mark: { ...POINT, filled: true }, encoding: points },
      { data, transform: UNTESTED, mark: { ...POINT, filled: false }, encoding: points },
      {
        data,
        transform: UNTESTED,
        mark: { type: "text", align: "right", dx: -8, fontSize: 10, color: TEXT_COLOR },
        encoding: { ...y, x, text: { field: "few" } },
      },
    ],
  };
}

function fewText(row: Row): string {
  return row["mean"] === null ? "" : `n = ${row["sessions"]}, no interval`;
}
