import type { ChartSpec } from "../chart_spec.ts";
import { looksBy, quantity, ruleAt } from "../grammar/encodings.ts";
import { whiskers } from "../grammar/interval_view.ts";
import { ALL_COLOR, SERIES_COLORS } from "../palette.ts";
import type { Row } from "../grammar/values.ts";
import { BUCKET_AXIS } from "../grammar/bucket_axis.ts";

const BAND_PX = 0.8;

/** Data of grouped bars of several horizons. */
export interface GroupedPlan {
  readonly periods: readonly number[];
  readonly width: number;
  readonly tips: readonly ChartSpec[];
  /** The mean that is drawn. */
  readonly field: "mean" | "excess";
  /** True if the mean of all stocks is drawn. */
  readonly all: boolean;
}

/** Bars with intervals by quantile, grouped by horizon, on one axis. */
export function groupedView(rows: readonly Row[], plan: GroupedPlan): ChartSpec {
  const { periods, width, tips, field, all } = plan;
  const [low, high] = field === "mean"
    ? ["low", "high"] as const
    : ["excess_low", "excess_high"] as const;
  const values = rows.map((row): Row => ({ ...row, ahead: String(row["horizon"]) }));
  const place = {
    x: BUCKET_AXIS,
    xOffset: { field: "ahead", type: "nominal", sort: periods.map(String) },
  };
  const bandPx = BAND_PX * width / Math.max(1, rows.length);
  return {
    width,
    height: 220,
    layer: [
      {
        data: { values },
        mark: { type: "bar", opacity: 0.85 },
        encoding: {
          ...place,
          y: quantity(field, { title: "bps per session" }),
          color: byHorizon(periods),
          tooltip: [{ field: "horizon", title: "horizon", type: "nominal" }, ...tips],
        },
      },
      ruleAt(0),
      ...whiskers(place, { low, high }).map((layer) => ({ data: { values }, ...layer })),
      ...all
        ? [{
          data: { values },
          mark: { type: "tick", color: ALL_COLOR, thickness: 2, bandSize: bandPx },
          encoding: { ...place, y: { field: "all", type: "quantitative" } },
        }]
        : [],
    ],
  };
}

/** Colours of horizons, by their names in the column `ahead`. */
export function byHorizon(periods: readonly number[]): ChartSpec {
  const looks = periods.map((_, i) => SERIES_COLORS[i % SERIES_COLORS.length]!);
  return looksBy("ahead", periods.map(String), looks, { title: "horizon in sessions" });
}
