import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { Chart } from "../chart/chart.ts";
import { CHART_CONFIG } from "../chart/chart_config.ts";
import type { ChartSpec } from "../chart/chart_spec.ts";
import { wrapSubtitle } from "../chart/lay_out_spec.ts";
import type { VegaSpec } from "../chart/vega_spec.ts";
import { quantity, ruleAt, sessionAxis } from "../chart/grammar/encodings.ts";
import { nothingView } from "../chart/grammar/subject/nothing_view.ts";
import { thinRows } from "../chart/grammar/thin_rows.ts";
import { numberIn, type Row, rowsOf, toValue } from "../chart/grammar/values.ts";
import { bucketColors, MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../chart/palette.ts";
import { halfLifeNumber } from "../../base/wording/sentences/half_life_text.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  percentText,
} from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";

const WIDTH = 300;
const HEIGHT = 130;
const MOST = 400;
const NET_RATE = 10;
const Z = 1.96;
// Equal axis widths, so that the four charts have the same size.
const AXIS = { minExtent: 48, maxExtent: 48, titleX: -46 };

/** The four charts of the first screen: quantile excess return, cumulative IC, cumulative net return with drawdown, IC decay. */
export function smallCharts(analysis: FactorAnalysis, horizon: number): readonly Chart[] {
  const { unit } = analysis.aligned.market;
  return [
    excessChart(analysis, horizon),
    cumulatedChart(analysis, horizon),
    wealthChart(analysis),
    decayChart(analysis),
  ].map((small) => smallChart(small, unit));
}

interface Small {
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
  readonly view: ChartSpec;
}

/** A small chart without a footnote, because the sheet states the origin of its numbers once. */
function smallChart({ view, ...texts }: Small, unit: string): Chart {
  const [title, subtitle, description] = [texts.title, texts.subtitle, texts.description]
    .map((text) => periodText(text, unit)) as [string, string, string];
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description,
    title: {
      text: title,
      subtitle: wrapSubtitle(subtitle, WIDTH),
      anchor: "start",
      fontSize: 12.5,
    },
    ...view,
    config: CHART_CONFIG,
  };
  return new Chart(spec as unknown as VegaSpec, { description });
}

function nothing(title: string, reason: string): Small {
  const view = nothingView(reason, WIDTH);
  return {
    title,
    subtitle: "",
    description: `${title}. Nothing to draw: ${reason}.`,
    view,
  };
}

function excessChart({ quantileReturns, spread }: FactorAnalysis, horizon: number): Small {
  const rows = rowsOf(quantileReturns).filter((row) => row["horizon"] === horizon).map((row) => ({
    quantile: row["quantile"]!,
    excess: toValue(BASIS_POINTS * numberIn(row, "mean_excess")),
  }));
  const known = rows.filter(({ excess }) => excess !== null);
  const title = `Excess returns by quantile, ${countText(horizon, "session")}`;
  if (known.length === 0) return nothing(title, "no session has enough stocks in each quantile");
  const own = rowsOf(spread.summary).find((row) => row["horizon"] === horizon);
  const [mean, low, high] = ["mean", "low", "high"].map((name) =>
    BASIS_POINTS * numberIn(own, name)
  );
  const ends = Number.isNaN(low)
    ? "not tested"
    : `95% CI ${decimalText(low!, 1)} to ${decimalText(high!, 1)}`;
  const subtitle = Number.isNaN(mean)
    ? ""
    : `Top minus bottom ${decimalText(mean!, 1)} bps (${ends})`;
  const values = known.map(({ excess }) => decimalText(Number(excess), 1)).join(", ");
  return {
    title,
    subtitle,
    description: `${title}: ${values} bps from the lowest to the highest. ${subtitle}.`,
    view: excessView(rows),
  };
}

/** Cumulative IC, with its pointwise 95% range if the mean IC is zero. */
function cumulatedChart({ ic, summary }: FactorAnalysis, horizon: number): Small {
  const rows = rowsOf(ic.select("session", "horizon", "ic")).filter((row) =>
    row["horizon"] === horizon && !Number.isNaN(numberIn(row, "ic"))
  );
  const title = `Cumulative rank IC, ${countText(horizon, "session")}`;
  if (rows.length === 0) return nothing(title, "no session has an IC");
  const own = rowsOf(summary.table).find((row) => row["horizon"] === horizon);
  const count = rows.length;
  const se = (numberIn(own, "high") - numberIn(own, "low")) / (2 * Z);
  let sum = 0;
  const points = rows.map((row, i): Row => {
    sum += numberIn(row, "ic");
    const band = Number.isNaN(se) ? null : toValue(Z * se * Math.sqrt(count * (i + 1)));
    return {
      session: row["session"]!,
      sum: toValue(sum),
      low: band === null ? null : -Number(band),
      high: band,
    };
  });
  const isOut = Math.abs(sum) > Z * se * count;
  const subtitle = Number.isNaN(se)
    ? `Ends at ${decimalText(sum, 1)}; too few windows for an interval`
    : `Ends at ${decimalText(sum, 1)}, ${isOut ? "outside" : "within"} the 95% band around zero`;
  const x = sessionAxis();
  return {
    title,
    subtitle,
    description: `${title}: the sum over ${countText(count, "session")}. ${subtitle}.`,
    view: cumulatedView(points, few(x)),
  };
}

function few(axis: ChartSpec): ChartSpec {
  return { ...axis, axis: { ...axis["axis"] as ChartSpec, tickCount: 4 } };
}

function wealthChart({ detail }: FactorAnalysis): Small {
  const rates = [
    ...new Set(detail.cumulativeNetReturns.getColumn("one_way_bps").toArray() as number[]),
  ];
  const rate = rates.includes(NET_RATE) ? NET_RATE : rates.toSorted((a, b) => b - a)[0];
  const title = rate === undefined || rate === 0
    ? "Long–short growth of 1, gross"
    : `Long–short growth of 1, net of ${rate} bps`;
  const rows = rowsOf(detail.cumulativeNetReturns, ["session", "one_way_bps", "wealth", "drawdown"])
    .filter((row) => row["one_way_bps"] === rate && !Number.isNaN(numberIn(row, "wealth")));
  if (rows.length === 0) return nothing(title, "the portfolio has no session");
  const deepest = rows.reduce((least, row) => Math.min(least, numberIn(row, "drawdown")), 0);
  const end = numberIn(rows.at(-1), "wealth");
  const subtitle = `Ends at ${decimalText(end, 2)}; maximum drawdown ${percentText(-deepest)}`;
  const drawn = thinRows(rows, { fields: ["wealth", "drawdown"], most: MOST }).rows;
  const x = few(sessionAxis());
  return {
    title,
    subtitle,
    description: `${title}, over ${countText(rows.length, "session")}. ${subtitle}.`,
    view: wealthView(drawn, x),
  };
}

function decayChart({ decayMeans, halfLife, aligned }: FactorAnalysis): Small {
  const rows = rowsOf(decayMeans).filter((row) => !Number.isNaN(numberIn(row, "mean")))
    .map(({ group, mean, low, high }) => ({ lag: Number(group), mean, low, high }) as Row);
  const title = "Mean IC of one-session returns by lag";
  if (rows.length === 0) return nothing(title, "no lag has an IC");
  const half = numberIn(rowsOf(halfLife)[0], "half_life");
  const clear = rows.filter((row) => numberIn(row, "low") > 0 || numberIn(row, "high") < 0).length;
  const fade = Number.isNaN(half) ? "" : `; half-life ${halfLifeNumber(half)} sessions`;
  const subtitle = `95% CI excludes zero at ${clear} of ${countText(rows.length, "lag")} (about ${
    Math.round(0.05 * rows.length)
  } expected by chance)${fade}`;
  const lag = `lag, ${aligned.market.unit}s`;
  const x = quantity("lag", {
    title: lag,
    axis: { grid: false, tickMinStep: 1, tickCount: 6 },
    fromZero: false,
  });
  const at = { ...x, title: lag, scale: { nice: false, zero: false, padding: 8 } };
  return {
    title,
    subtitle,
    description: `${title}: ${subtitle}.`,
    view: decayView(rows, at),
  };
}

function excessView(rows: readonly Row[]): ChartSpec {
  return {
    width: WIDTH,
    height: HEIGHT,
    layer: [
      {
        data: { values: rows },
        mark: { type: "bar" },
        encoding: {
          x: { field: "quantile", type: "ordinal", title: "quantile", axis: { labelAngle: 0 } },
          y: quantity("excess", { title: "bps", axis: AXIS }),
          color: {
            field: "quantile",
            type: "ordinal",
            legend: null,
            scale: { range: bucketColors(rows.length) },
          },
        },
      },
      ruleAt(0),
    ],
  };
}

function cumulatedView(points: readonly Row[], x: ChartSpec): ChartSpec {
  return {
    width: WIDTH,
    height: HEIGHT,
    data: { values: thinRows(points, { fields: ["sum"], most: MOST }).rows },
    layer: [
      {
        mark: { type: "area", color: QUIET_COLOR, opacity: 0.25 },
        encoding: {
          x: few(x),
          y: quantity("low", { title: "sum of IC", axis: AXIS }),
          y2: { field: "high" },
        },
      },
      ruleAt(0),
      {
        mark: { type: "line", color: MAIN_COLOR, strokeWidth: 1.6 },
        encoding: { x, y: quantity("sum", { title: "sum of IC", axis: AXIS }) },
      },
    ],
  };
}

function wealthView(drawn: readonly Row[], x: ChartSpec): ChartSpec {
  return {
    data: {
      values: drawn.map(({ session, wealth, drawdown }) => ({ session, wealth, drawdown }) as Row),
    },
    spacing: 4,
    vconcat: [
      {
        width: WIDTH,
        height: Math.round(HEIGHT * 0.62),
        layer: [ruleAt(1), {
          mark: { type: "line", color: MAIN_COLOR, strokeWidth: 1.6 },
          encoding: {
            x: { ...x, axis: null },
            y: quantity("wealth", {
              title: "axis truncated",
              scale: { zero: false },
              axis: { ...AXIS, tickCount: 3 },
            }),
          },
        }],
      },
      {
        width: WIDTH,
        height: Math.round(HEIGHT * 0.3),
        mark: { type: "area", color: OTHER_COLOR, opacity: 0.6 },
        encoding: {
          x,
          y: quantity("drawdown", {
            title: "drawdown",
            format: "%",
            axis: { ...AXIS, tickCount: 2 },
          }),
        },
      },
    ],
  };
}

function decayView(rows: readonly Row[], at: ChartSpec): ChartSpec {
  return {
    width: WIDTH,
    height: HEIGHT,
    data: { values: rows },
    layer: [
      ruleAt(0),
      {
        mark: { type: "rule", color: MAIN_COLOR, opacity: 0.55 },
        encoding: {
          x: at,
          y: quantity("low", { title: "rank IC", axis: AXIS }),
          y2: { field: "high" },
        },
      },
      {
        mark: { type: "point", filled: true, size: 26, color: MAIN_COLOR },
        encoding: { x: at, y: quantity("mean", { title: "rank IC", axis: AXIS }) },
      },
    ],
  };
}
