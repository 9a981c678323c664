import { ZOOM_WHEEL } from "../chart_config.ts";
import type { ChartSpec } from "../chart_spec.ts";
import type { CountedBin } from "./count_bins.ts";
import { mark, type MarkOptions } from "../mark.ts";
import type { Row } from "./values.ts";
import { DIVERGING_COLORS, MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

// A point of the first or last session stands within the frame, which cuts off what lies on it.
const POINT_PX = 6;

/** Horizontal axis with one position per quantile. */
export const BUCKET_AXIS = {
  field: "quantile",
  type: "ordinal",
  title: "quantile, 1 is the lowest score",
  axis: { labelAngle: 0 },
} as const;
const AXIS = { labelAngle: 0, domain: false, ticks: false };

/** Axis of a quantity. */
export interface QuantityOptions {
  /** Title of the axis. */
  readonly title: string | null;
  /** Number format of d3, without decimals: these follow the step between ticks. Whole numbers ("d") have steps of at least one. @default ",f" */
  readonly format?: string;
  /** True if the axis begins at zero. @default true */
  readonly fromZero?: boolean;
  /** Further properties of the axis. */
  readonly axis?: ChartSpec;
  /** Further properties of the scale. */
  readonly scale?: ChartSpec;
}

/** First and last session of an axis, as YYYY-MM-DD. */
export type SessionSpan = readonly [string, string];

/** First and last session of the rows; `undefined` without rows. */
export function sessionSpanOf(rows: readonly Row[]): SessionSpan | undefined {
  const sessions = rows.map((row) => String(row["session"])).toSorted();
  return sessions.length === 0 ? undefined : [sessions[0]!, sessions.at(-1)!];
}

/** Axis of sessions, in UTC: in the reader's time zone a date would be the day before in New York. */
export function sessionAxis(span?: SessionSpan): ChartSpec {
  const domain = span?.map((session) => Date.parse(session));
  return {
    field: "session",
    type: "temporal",
    title: null,
    scale: { type: "utc", padding: POINT_PX, ...(domain !== undefined && { domain }) },
    axis: {
      grid: false,
      labelOverlap: true,
      labelSeparation: 6,
      // Ticks within a day would have the same label, so only midnight has one.
      labelExpr:
        "utchours(datum.value) !== 0 ? '' : utcFormat(datum.value, utcmonth(datum.value) === 0 && utcdate(datum.value) === 1 ? '%Y' : utcdate(datum.value) === 1 ? '%b %Y' : '%d %b %Y')",
      tickCount: 8,
    },
  };
}

/** Axis of a quantity; its ticks have as many decimals as their step needs. */
export function quantity(field: string, options: QuantityOptions): ChartSpec {
  const { title, format = ",f", fromZero = true, axis = {}, scale = {} } = options;
  return {
    field,
    type: "quantitative",
    title,
    scale: { zero: fromZero, nice: true, ...scale },
    axis: { format, tickCount: 5, ...(format.endsWith("d") && { tickMinStep: 1 }), ...axis },
  };
}

/** Bars of counted bins, which lie between the values `low` and `high`, and a thin bar at each `value` of the piles, which are counted apart. */
export function countBars(
  bins: readonly CountedBin[],
  { axis, counted, format, color = MAIN_COLOR, opacity = 0.75, piles, exact = ".4f" }: {
    /** Axis of values. */
    readonly axis: QuantityOptions;
    /** Name of what is counted. */
    readonly counted: string;
    /** Number format of values. */
    readonly format: string;
    readonly color?: string;
    readonly opacity?: number;
    /** Values that many share, with their counts: `value`, `count`. @default no layer of them */
    readonly piles?: readonly object[];
    /** Number format of a pile. */
    readonly exact?: string;
  },
): readonly ChartSpec[] {
  const y = quantity("count", { title: counted, format: ",d" });
  const bars = mark("bar", {
    rows: bins,
    color,
    opacity,
    x: { ...quantity("low", axis), bin: "binned" },
    x2: "high",
    y,
    tooltip: [tip("low", "from", format), tip("high", "to", format), tip("count", counted, ",d")],
  });
  if (piles === undefined) return [bars];
  const tooltip = [tip("value", "exactly", exact), tip("count", counted, ",d")];
  const x = quantity("value", axis);
  return [bars, mark("bar", { rows: piles, color: OTHER_COLOR, size: 4, x, y, tooltip })];
}
/** Names of the months on an axis. */
export const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Colour of an amount in a cell, zero in the middle. */
export function signed(field: string, title: string, most: number): ChartSpec {
  const domain = [-most, 0, most];
  const scale = { domain, range: [...DIVERGING_COLORS], interpolate: "rgb", clamp: true };
  return { field, type: "quantitative", title, scale };
}

/** Channel that tells names apart by their looks: colours, dashes or shapes. */
export function looksBy(
  field: string,
  names: readonly unknown[],
  looks: readonly unknown[],
  more: ChartSpec = {},
): ChartSpec {
  const scale = { domain: names, range: looks.slice(0, names.length) };
  return { field, type: "nominal", title: null, sort: null, scale, ...more };
}

/** One line of a tooltip. */
export function tip(field: string, title: string, format?: string): ChartSpec {
  if (format === undefined) return { field, title, type: "nominal" };
  return { field, title, type: "quantitative", format };
}

/** Tooltip lines of an interval. */
export function intervalTips(
  format: string,
  [low, high]: readonly [string, string] = ["low", "high"],
): readonly ChartSpec[] {
  return [tip(low, "95% CI from", format), tip(high, "to", format)];
}

/** Tooltip lines of a mean, its interval and its number of sessions. */
export function meanTips(title: string): readonly ChartSpec[] {
  return [tip("mean", title, ".4f"), ...intervalTips(".4f"), tip("sessions", "sessions", ",d")];
}

/** Tooltip line with the session of a mark. */
export function sessionTip(title = "session", field = "session"): ChartSpec {
  return { field, title, type: "temporal", timeUnit: "utcyearmonthdate", format: "%Y-%m-%d" };
}

/** Horizontal line at a value of the vertical axis. */
export function ruleAt(at: number, look: ChartSpec = {}): ChartSpec {
  return mark("rule", { rows: [{ at }], ...look, y: { field: "at", type: "quantitative" } });
}

/** Vertical lines at values of the horizontal axis. */
export function rulesAt(rows: readonly Row[], field: string, look: ChartSpec = {}): ChartSpec {
  return mark("rule", { rows, ...look, x: { field, type: "quantitative" } });
}

/**
 * A vertical line that follows the pointer to the nearest value of x, and tells its row. A still picture has none.
 *
 * @param name Its name, which begins with `hover`
 * @param also Names of the lines of other pictures that move together with it
 */
export function crosshair(
  name: string,
  { also = [], ...options }: MarkOptions & { readonly also?: readonly string[] },
): ChartSpec {
  const events = { on: "pointerover", clear: "pointerout" };
  const select = { type: "point", encodings: ["x"], nearest: true, ...events };
  const test = { or: [name, ...also].map((param) => ({ param, empty: false })) };
  const opacity = { condition: { test, value: 0.7 }, value: 0 };
  const rule = { params: [{ name, select }], color: QUIET_COLOR, opacity, ...options };
  return { name, ...mark("rule", rule) };
}

/** Parameter and channel by which a click on a name of a legend shows its series alone. */
export function legendToggle(field: string): MarkOptions {
  const name = `${field}_shown`;
  return {
    params: [{ name, select: { type: "point", fields: [field] }, bind: "legend" }],
    opacity: { condition: { param: name, value: 1 }, value: 0.12 },
  };
}

/** Panning and zooming along the horizontal axis. */
export function zoom(name = "zoom"): readonly ChartSpec[] {
  const select = { type: "interval", encodings: ["x"], zoom: ZOOM_WHEEL };
  return [{ name, select, bind: "scales" }];
}

/** Size, rows and axes of a grid with a row per `year` and a column per `month`. */
export function monthGrid(
  cells: readonly { readonly year: unknown }[],
  { width, columns }: { readonly width: number; readonly columns: readonly string[] },
): ChartSpec {
  const x = { field: "month", type: "ordinal", sort: columns, title: null };
  return {
    width,
    height: gridHeight(cells),
    data: { values: cells },
    encoding: {
      x: { ...x, scale: { domain: columns }, axis: { ...AXIS, orient: "top" } },
      y: { field: "year", type: "ordinal", title: null, axis: AXIS },
    },
  };
}

/** Height of the grid. */
export function gridHeight(cells: readonly { readonly year: unknown }[]): number {
  return Math.max(40, 26 * new Set(cells.map(({ year }) => year)).size);
}
