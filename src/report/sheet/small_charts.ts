import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { countText, decimalText, percentText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { barLayers, quantileColor, toBar } from "../chart/bucket/quantile_chart.ts";
import { Chart } from "../chart/chart.ts";
import { CHART_CONFIG } from "../chart/chart_config.ts";
import type { ChartSpec, VegaSpec } from "../chart/chart_spec.ts";
import { smallWealth } from "../chart/factor/cumulative_return_chart.ts";
import { decayLayers, lagsOf } from "../chart/factor/decay_chart.ts";
import { quantity, ruleAt, sessionAxis } from "../chart/grammar/encodings.ts";
import { mark } from "../chart/mark.ts";
import { apartText, inBasisPoints, meanPhrase } from "../chart/grammar/mean_phrase.ts";
import { nothingView } from "../chart/grammar/subject/lay_out_finding.ts";
import { thinRows } from "../chart/grammar/thin_rows.ts";
import { numberIn, type Row, rowsOf, toValue, withNumber } from "../chart/grammar/values.ts";
import { wrapSubtitle } from "../chart/lay_out_spec.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../chart/palette.ts";

const WIDTH = 300;
const HEIGHT = 130;
const MOST = 400;
// Equal axis widths, so that the four charts have the same size.
const CONFIG = {
  ...CHART_CONFIG,
  axisY: { minExtent: 48, maxExtent: 48, titleX: -46 },
};

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
  /** The finding, or the reason for an empty picture. */
  readonly text: string;
  readonly details?: string;
  /** The picture of the large chart, smaller; `null` if there is nothing to draw. */
  readonly view: ChartSpec | null;
}

/** A small chart without a footnote, because the sheet states the origin of its numbers once. */
function smallChart({ view, details = "", ...texts }: Small, unit: string): Chart {
  const say = (text: string) => periodText(text, unit);
  const [title, text] = [say(texts.title), say(texts.text)];
  const found = view === null ? `Nothing to draw: ${text}` : text;
  const description = `${title}${say(details)}. ${found}.`;
  const spec = {
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description,
    title: {
      text: title,
      subtitle: view === null ? "" : wrapSubtitle(text, WIDTH),
      anchor: "start",
      fontSize: 12.5,
    },
    ...view ?? nothingView(text, WIDTH),
    config: CONFIG,
  };
  return new Chart(spec as unknown as VegaSpec, { description });
}

function excessChart({ quantileReturns, spread, plan }: FactorAnalysis, horizon: number): Small {
  const rows = rowsOf(quantileReturns).map((row) => toBar(row))
    .filter((row) => row.horizon === horizon);
  const known = withNumber(rows, "excess");
  const title = `Excess returns by quantile, ${countText(horizon, "session")}`;
  if (!known.some(({ quantile }) => quantile === 1 || quantile === plan.quantiles)) {
    return { title, text: "neither the top nor the bottom quantile has a return", view: null };
  }
  const own = inBasisPoints(rowsOf(spread.summary).find((row) => row.horizon === horizon));
  const values = known.map(({ excess }) => decimalText(excess, 1)).join(", ");
  return {
    title,
    text: Number.isNaN(numberIn(own, "mean"))
      ? "No session has both the top and the bottom quantile"
      : `Top minus bottom ${meanPhrase(own, 1, " bps")} over ` +
        `${countText(numberIn(own, "sessions"), "session")}`,
    details: `: ${values} bps from the lowest to the highest`,
    view: {
      width: WIDTH,
      height: HEIGHT,
      data: { values: rows },
      layer: barLayers({ color: quantileColor(plan.quantiles) }),
    },
  };
}

/** Cumulative IC, with its pointwise 95% range if the mean IC is zero. */
function cumulatedChart({ ic, summary }: FactorAnalysis, horizon: number): Small {
  const rows = withNumber(rowsOf(ic, ["session", "horizon", "ic"]), "ic")
    .filter((row) => row.horizon === horizon);
  const title = `Cumulative rank IC, ${countText(horizon, "session")}`;
  if (rows.length === 0) return { title, text: "no session has an IC", view: null };
  const own = rowsOf(summary.table).find((row) => row.horizon === horizon);
  const count = rows.length;
  // Of the test itself, with its degrees of freedom.
  const half = (numberIn(own, "high") - numberIn(own, "low")) / 2;
  let sum = 0;
  const points = rows.map((row, i): Row => {
    sum += row.ic;
    const band = toValue(half * Math.sqrt(count * (i + 1)));
    const low = band === null ? null : -Number(band);
    return { session: row.session, sum: toValue(sum), low, high: band };
  });
  const isOut = Math.abs(sum) > half * count;
  const ends = `Ends at ${decimalText(sum, 1)}`;
  return {
    title,
    text: Number.isNaN(half)
      ? `${ends}; too few windows for an interval`
      : `${ends}, ${isOut ? "outside" : "within"} the 95% band around zero`,
    details: `: the sum over ${countText(count, "session")}`,
    view: cumulatedView(points),
  };
}

function cumulatedView(points: readonly Row[]): ChartSpec {
  const x = sessionAxis();
  const y = (field: string) => quantity(field, { title: "sum of IC" });
  return {
    width: WIDTH,
    height: HEIGHT,
    data: { values: thinRows(points, ["sum"], MOST).rows },
    layer: [
      mark("area", { color: QUIET_COLOR, opacity: 0.25, x, y: y("low"), y2: "high" }),
      ruleAt(0),
      mark("line", { color: MAIN_COLOR, strokeWidth: 1.6, x, y: y("sum") }),
    ],
  };
}

function wealthChart(analysis: FactorAnalysis): Small {
  const found = smallWealth(analysis, WIDTH);
  if (found === null) {
    return { title: "Long–short growth of 1", text: "the portfolio holds nothing", view: null };
  }
  const { kind, end, lowest, sessions, view } = found;
  return {
    title: `Long–short growth of 1, ${kind.replace(" one way", "")}`,
    text: `Ends at ${decimalText(end, 2)}; maximum drawdown ${percentText(-lowest)}`,
    details: `, over ${countText(sessions, "session")}`,
    view,
  };
}

function decayChart(analysis: FactorAnalysis): Small {
  const rows = withNumber(lagsOf(analysis), "mean");
  const title = "Mean IC of one-session returns by lag";
  if (rows.length === 0) return { title, text: "no lag has an IC", view: null };
  return {
    title,
    text: apartText(rows, "lag"),
    view: { width: WIDTH, height: HEIGHT, layer: decayLayers(rows) },
  };
}
