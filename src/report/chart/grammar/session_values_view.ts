import { countText } from "../../../base/wording/number_text.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { intervalTips, quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "./encodings.ts";
import { lineInBand } from "./interval_view.ts";
import { mark } from "../mark.ts";
import { inBlocks, thinRows } from "./thin_rows.ts";
import { ascending, type Row, withNumber } from "./values.ts";
import { OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

/** Values by session, and their means. */
export interface SessionValues {
  /** `session`, `value`, `n`: one row per session. */
  readonly sessions: readonly Row[];
  /** `session`, `mean`, `low`, `high`: the mean of the last sessions. */
  readonly means: readonly Row[];
  /** `mean`, `low`, `high` of the whole sample; `undefined` without a mean. */
  readonly whole: Row | undefined;
}

/** Labels and size of a picture of values by session. */
export interface SessionValuesPlan {
  readonly horizon: number;
  readonly width: number;
  /** Number of pictures in the chart. */
  readonly count: number;
  /** Title of the axis of values. */
  readonly title: string;
  /** Name of a session's value in tooltips. */
  readonly value: string;
  /** Number of sessions of a rolling mean. */
  readonly window: number;
  /** Number format of tooltips. */
  readonly format: string;
}

const MOST_POINTS = 600;
const HEIGHT = 240;

/**
 * Values by session as points, their rolling mean as a line with its interval, the overall mean as a band, and a
 * line at zero. With
 * many sessions, blocks of them are drawn as ranges from lowest to highest, so that no extreme is lost.
 */
export function sessionValuesView(values: SessionValues, plan: SessionValuesPlan): ChartSpec {
  const { horizon, width, count, window, format } = plan;
  const title = count === 1 ? plan.title : `${plan.title}, ${countText(horizon, "session")}`;
  const y = (field: string) => quantity(field, { title });
  const most = mostPoints(count);
  const { rows } = thinRows(values.means, ["mean", "low", "high"], most);
  const mean = tip("mean", `mean of ${window}`, format);
  const tooltip = [sessionTip("last session"), mean, ...intervalTips(format)];
  return {
    name: `horizon_${horizon}`,
    width,
    height: count === 1 ? HEIGHT : Math.floor(HEIGHT / 1.8),
    layer: [
      sessionsLayer(values.sessions, plan, y),
      ...wholeLayers(values.whole, y),
      ruleAt(0),
      { data: { values: rows }, layer: lineInBand({ x: sessionAxis(), title, tooltip }) },
    ],
  };
}

/** Range of the means of windows in words, and the latest; or that there is none. */
export function windowsText<Name extends string>(
  rows: readonly Row[],
  { field, named, textOf }: {
    readonly field: Name;
    /** Name of the values. */
    readonly named: string;
    readonly textOf: (value: number) => string;
  },
): string | null {
  const sorted = ascending(rows, field);
  if (sorted.length === 0) return null;
  const last = sorted.reduce((a, b) => String(a["session"]) > String(b["session"]) ? a : b);
  const [lowest, highest] = [sorted[0]!, sorted.at(-1)!].map((row) =>
    `${textOf(row[field])} (window ending ${row["session"]})`
  );
  return `the ${named} ranges from ${lowest} to ${highest}; latest ${textOf(last[field])}`;
}

function rangeSize(sessions: readonly Row[], count: number): number {
  return inBlocks(sessions, mostPoints(count))[0]?.length ?? 1;
}

function mostPoints(count: number): number {
  return Math.floor(MOST_POINTS / count);
}

type Axis = (field: string) => ChartSpec;

/** Marks of the pictures in words, without those that are missing because the sessions are too few. */
export function marksText(panels: readonly SessionValues[], windows: readonly number[]): string {
  const size = Math.max(...panels.map(({ sessions }) => rangeSize(sessions, panels.length)));
  const means = panels.flatMap((panel) => panel.means);
  const ends = [...means, ...panels.map(({ whole = {} }) => whole)];
  const lines = windows.length === 1 ? "Line" : "Lines";
  return [
    size === 1 ? "Points: sessions" : `Grey: lowest to highest of every ${size} sessions`,
    ...withNumber(means, "mean").length === 0
      ? []
      : [`${lines}: mean of the last ${windows.join(", ")} sessions`],
    "Dashed: mean of all sessions",
    ...withNumber(ends, "low").length === 0 ? [] : ["Bands: 95% confidence intervals"],
  ].join(". ");
}

function sessionsLayer(sessions: readonly Row[], plan: SessionValuesPlan, y: Axis): ChartSpec {
  const { format } = plan;
  const params = zoom(`horizon_${plan.horizon}_zoom`);
  const x = sessionAxis();
  if (rangeSize(sessions, plan.count) === 1) {
    const look = { filled: true, size: 12, opacity: 0.45, color: QUIET_COLOR };
    const tooltip = [sessionTip(), tip("value", plan.value, format), tip("n", "stocks", ",.0f")];
    return mark("point", { rows: sessions, params, ...look, x, y: y("value"), tooltip });
  }
  const rows = inBlocks(sessions, mostPoints(plan.count)).map(rangeOf);
  const look = { strokeWidth: 1.2, opacity: 0.3, color: QUIET_COLOR };
  const ends = [tip("low", "lowest", format), tip("high", "highest", format)];
  const tooltip = [sessionTip("from"), tip("sessions", "sessions", "d"), ...ends];
  return mark("rule", { rows, params, ...look, x, y: y("low"), y2: "high", tooltip });
}

function rangeOf(block: readonly Row[]): Row {
  const values = ascending(block, "value").map(({ value }) => value);
  const [low = null, high = null] = [values[0], values.at(-1)];
  return { session: block[0]!["session"]!, low, high, sessions: values.length };
}

function wholeLayers(whole: Row | undefined, y: Axis): readonly ChartSpec[] {
  const rows = withNumber(whole === undefined ? [] : [whole], "mean");
  const line = { color: OTHER_COLOR, strokeWidth: 1.5, strokeDash: [6, 3] };
  return rows.length === 0 ? [] : [
    ...withNumber(rows, "low").map((row) =>
      mark("rect", { rows: [row], color: OTHER_COLOR, opacity: 0.25, y: y("low"), y2: "high" })
    ),
    mark("rule", { rows, ...line, y: y("mean") }),
  ];
}
