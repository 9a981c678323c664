import { countText } from "../../../base/wording/number_text.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";
import { quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "./encodings.ts";
import { thinRows } from "./thin_rows.ts";
import { inBlocks, numberIn, type Row, withNumber } from "./values.ts";

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
  const { horizon, width, count } = plan;
  const title = count === 1 ? plan.title : `${plan.title}, ${countText(horizon, "session")}`;
  const y = (field: string) => quantity(field, { title });
  return {
    name: `horizon_${horizon}`,
    width,
    height: count === 1 ? HEIGHT : Math.floor(HEIGHT / 1.8),
    layer: [
      sessionsLayer(values.sessions, plan, y),
      ...wholeLayers(values.whole, y),
      ruleAt(0),
      meansLayer(values.means, plan, y),
    ],
  };
}

/** Range of the means of windows in words, and the latest; or that there is none. */
export function windowsText(
  rows: readonly Row[],
  { field = "mean", named, textOf }: {
    /** @default "mean" */
    readonly field?: string;
    /** Name of the values. */
    readonly named: string;
    readonly textOf: (value: number) => string;
  },
): string | null {
  const sorted = withNumber(rows, field).toSorted((a, b) =>
    numberIn(a, field) - numberIn(b, field)
  );
  if (sorted.length === 0) return null;
  const last = sorted.reduce((a, b) => String(a["session"]) > String(b["session"]) ? a : b);
  const [lowest, highest] = [sorted[0]!, sorted.at(-1)!].map((row) =>
    `${textOf(numberIn(row, field))} (window ending ${row["session"]})`
  );
  return `the ${named} ranges from ${lowest} to ${highest}; latest ${
    textOf(numberIn(last, field))
  }`;
}

function rangeSize(sessions: readonly Row[], count: number): number {
  return inBlocks(sessions, mostPoints(count))[0]?.length ?? 1;
}

function mostPoints(count: number): number {
  return Math.floor(MOST_POINTS / count);
}

/** Sentence that says if marks are points or ranges. */
export function rangesText(panels: readonly SessionValues[]): string {
  const size = Math.max(...panels.map(({ sessions }) => rangeSize(sessions, panels.length)));
  return size === 1 ? "Points: sessions" : `Grey: lowest to highest of every ${size} sessions`;
}

type Axis = (field: string) => ChartSpec;

function sessionsLayer(sessions: readonly Row[], plan: SessionValuesPlan, y: Axis): ChartSpec {
  const size = rangeSize(sessions, plan.count);
  const params = zoom(`horizon_${plan.horizon}_zoom`);
  const x = sessionAxis();
  if (size === 1) {
    return {
      data: { values: sessions },
      params,
      mark: { type: "point", filled: true, size: 12, opacity: 0.45, color: QUIET_COLOR },
      encoding: {
        x,
        y: y("value"),
        tooltip: [
          sessionTip(),
          tip("value", plan.value, plan.format),
          tip("n", "stocks", ",.0f"),
        ],
      },
    };
  }
  return {
    data: { values: inBlocks(sessions, mostPoints(plan.count)).map(rangeOf) },
    params,
    mark: { type: "rule", strokeWidth: 1.2, opacity: 0.3, color: QUIET_COLOR },
    encoding: {
      x,
      y: y("low"),
      y2: { field: "high" },
      tooltip: [
        sessionTip("from"),
        tip("sessions", "sessions", "d"),
        tip("low", "lowest", plan.format),
        tip("high", "highest", plan.format),
      ],
    },
  };
}

function rangeOf(block: readonly Row[]): Row {
  const values = block.map((row) => numberIn(row, "value")).filter((value) => !Number.isNaN(value));
  const isEmpty = values.length === 0;
  return {
    session: block[0]!["session"]!,
    low: isEmpty ? null : Math.min(...values),
    high: isEmpty ? null : Math.max(...values),
    sessions: values.length,
  };
}

function wholeLayers(whole: Row | undefined, y: Axis): readonly ChartSpec[] {
  if (whole === undefined || Number.isNaN(numberIn(whole, "mean"))) return [];
  const data = { values: [whole] };
  const hasInterval = !Number.isNaN(numberIn(whole, "low"));
  const band = {
    data,
    mark: { type: "rect", color: OTHER_COLOR, opacity: 0.25 },
    encoding: { y: y("low"), y2: { field: "high" } },
  };
  return [
    ...hasInterval ? [band] : [],
    {
      data,
      mark: { type: "rule", color: OTHER_COLOR, strokeWidth: 1.5, strokeDash: [6, 3] },
      encoding: { y: y("mean") },
    },
  ];
}

function meansLayer(means: readonly Row[], plan: SessionValuesPlan, y: Axis): ChartSpec {
  const { rows } = thinRows(means, {
    fields: ["mean", "low", "high"],
    most: mostPoints(plan.count),
  });
  const x = sessionAxis();
  const layer = [
    {
      mark: { type: "area", opacity: 0.28, color: MAIN_COLOR },
      encoding: { x, y: y("low"), y2: { field: "high" } },
    },
    {
      mark: { type: "line", strokeWidth: 2, color: MAIN_COLOR },
      encoding: {
        x,
        y: y("mean"),
        tooltip: [
          sessionTip("last session"),
          tip("mean", `mean of ${plan.window}`, plan.format),
          tip("low", "95% CI from", plan.format),
          tip("high", "to", plan.format),
        ],
      },
    },
  ];
  return { data: { values: rows }, layer };
}
