import { countText } from "../../../base/wording/number_text.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { meanTips, quantity, ruleAt, rulesAt, tip } from "./encodings.ts";
import { has, mark, type MarkOptions } from "../mark.ts";
import { meanPhrase } from "./mean_phrase.ts";
import { numberIn, type Row, withNumber } from "./values.ts";
import { MAIN_COLOR, QUIET_COLOR, TEXT_COLOR } from "../palette.ts";

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
  [low, high]: readonly [string, string] = ["low", "high"],
  rows?: MarkOptions["rows"],
): readonly ChartSpec[] {
  const y = { ...place["y"] as ChartSpec, field: low, type: "quantitative" };
  const ends = { rows, where: has(low), ...place, y, y2: high };
  return WHISKER.map((look) => mark("rule", { ...ends, ...look }));
}

/** Bars from zero with their intervals, and zero itself. */
export function barsWithIntervals(
  { ends, rows, y, opacity, size, color, tooltip, ...place }: {
    /** Ends of the interval. @default low and high */
    readonly ends?: readonly [low: string, high: string] | undefined;
  } & MarkOptions,
): readonly ChartSpec[] {
  return [
    mark("bar", { rows, opacity, size, ...place, y, color, tooltip }),
    ruleAt(0),
    ...whiskers(place, ends, rows),
  ];
}

const INTERVAL = ["mean", "low", "high"] as const;
const [TESTED, UNTESTED] = [has("low"), `!${has("low")}`];
const SIDES = [{ align: "left", dx: 8 }, { align: "right", dx: -8 }];

/** One row per part, a point with its interval, or a hollow point with its number of sessions if it has none: `part`, `mean`, `low`, `high`, `sessions`. */
export function pointsWithIntervals(
  given: readonly Row[],
  options: IntervalViewOptions,
): ChartSpec {
  const { width, title, color = { value: MAIN_COLOR }, shape, offset } = options;
  const rows = given.map((row): Row => ({
    ...row,
    ...row["low"] === null && {
      few: row["mean"] === null ? "" : `n = ${row["sessions"]}, no interval`,
      align: sideOf(row, given),
    },
  }));
  // A part without an interval keeps its place among those of the layer of intervals.
  const sort = [...new Set(rows.map((row) => row["part"]))];
  const place = {
    y: { field: "part", type: "nominal", sort, title: null, axis: { labelLimit: 220 } },
    yOffset: offset,
  };
  const x = quantity("mean", { title });
  const tooltip = [tip("part", "part"), ...meanTips("mean")];
  const points = { rows, size: 70, ...place, x, color, shape, tooltip };
  const low = { ...x, field: "low" };
  const note = { fontSize: 10, color: TEXT_COLOR, ...place };
  const label = { ...note, x, text: { field: "few" } };
  const layer = [
    rulesAt([{ at: 0 }], "at", { color: QUIET_COLOR }),
    mark("rule", { rows, where: TESTED, strokeWidth: 2, ...place, x: low, x2: "high", color }),
    mark("point", { where: TESTED, ...points, filled: true }),
    mark("point", { where: UNTESTED, ...points, filled: false }),
    ...SIDES.flatMap((side) => {
      const own = rows.filter(({ align }) => align === side.align);
      return own.length === 0 ? [] : [mark("text", { rows: own, ...side, ...label })];
    }),
    ...noneLabels(rows, note),
  ];
  const height = Math.max(60, (offset === undefined ? 22 : 13) * rows.length);
  return { width, height, layer };
}

/** "none" in the place of a part that has no mean in any row. */
function noneLabels(rows: readonly Row[], note: ChartSpec): readonly ChartSpec[] {
  const known = new Set(withNumber(rows, "mean").map((row) => row["part"]));
  const parts = [...new Set(rows.map((row) => row["part"]))].filter((part) => !known.has(part));
  if (parts.length === 0) return [];
  const said = { align: "left", ...note, x: { value: 4 }, text: { value: "none" } };
  return [mark("text", { rows: parts.map((part) => ({ part })), ...said })];
}

/** A note stands where the axis has room, so that it does not cover the name of its part. */
function sideOf(row: Row, rows: readonly Row[]): "left" | "right" {
  const ends = rows.flatMap((one) => INTERVAL.map((name) => numberIn(one, name) || 0));
  return numberIn(row, "mean") < (Math.min(...ends) + Math.max(...ends)) / 2 ? "left" : "right";
}

/** A part in words: `all: 0.024 (95% CI 0.009 to 0.039), 120 sessions`. */
export function partText(row: Row): string {
  const found = Number.isNaN(numberIn(row, "mean")) ? "no IC" : meanPhrase(row, 3);
  return `${row["part"]}: ${found}, ${countText(numberIn(row, "sessions"), "session")}`;
}
