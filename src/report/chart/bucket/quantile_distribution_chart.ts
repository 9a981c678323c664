import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { meanOf, quantileOfSorted } from "../../../base/statistics/moments.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  percentText,
} from "../../../base/wording/number_text.ts";
import { panelName, panelWidth } from "./quantile_chart.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { roundWidth } from "../grammar/count_bins.ts";
import { BUCKET_TITLE, quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { toValue } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../palette.ts";

const MOST_ROWS = 700;
const MOST_BINS = 30;
// The tails would shrink the rest to a line; they are counted instead of drawn.
const TAIL = 0.005;
const MOST_REACH = 3;
const REACH = 0.42;
const MARKS = ["low", "lower", "median", "upper", "high"] as const;
const SHARES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;
const BOX_TIPS = [
  tip("bucket", "quantile"),
  ...MARKS.map((name, i) => tip(name, `${100 * SHARES[i]!}% below, bps`, ".1f")),
  tip("mean", "mean, bps", ".2f"),
  tip("sessions", "sessions", ",d"),
];
const BIN_TIPS = [
  tip("bucket", "quantile"),
  tip("low", "from, bps", ".1f"),
  tip("high", "to, bps", ".1f"),
  tip("sessions", "sessions", ",d"),
];

/**
 * Draws the distribution over sessions of the returns of each quantile, horizon by horizon: the mean over the stocks of a quantile in a
 * session, minus the mean of all stocks of that session. Left of each quantile stands a histogram, right of it the interquartile range as a
 * bar, the 5th to 95th percentile as a line, and the median. Half a percent at each end is counted, not drawn, as is what lies three
 * times the middle 90% or more beyond it.
 *
 * Returns of longer horizons overlap: as many values hold less information.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { quantileDistributionChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = quantileDistributionChart(analysis);
 * if (!chart.description.includes("the interquartile range")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function quantileDistributionChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, {
    about: "Distribution of returns by quantile minus all stocks",
  });
  const { aligned: { periods }, plan: { quantiles: count } } = analysis;
  const mostBins = Math.min(MOST_BINS, Math.floor(MOST_ROWS / (count * periods.length)));
  const panels = periods.map((horizon) => readPanel(analysis, horizon, mostBins));
  const shown = panels.filter(({ buckets }) =>
    buckets[0]!.length > 0 || buckets.at(-1)!.length > 0
  );
  const [first] = shown;
  if (first === undefined) {
    return layOutNothing(subject, "neither the top nor the bottom quantile has a return");
  }
  const width = panelWidth(subject.widthPx, shown.length);
  const values = Float64Array.from(panels.flatMap(({ values }) => [...values]));
  const outside = panels.reduce((sum, panel) => sum + panel.outside, 0);
  return layOutFinding(subject, {
    finding: findingOf(first),
    subtitle: [
      "Means by session in basis points, minus the mean of all stocks of the session",
      `Bars: middle 50%, lines: middle 90%, circles: median. ${outsideText(outside, values)}`,
    ],
    ...periods.at(-1) !== 1 && { caution: "Returns of more than one session overlap" },
    details: panels.map(describe).join(" "),
    views: [{ spacing: 24, hconcat: shown.map((panel) => view(panel, { width, count })) }],
  });
}

type Panel = ReturnType<typeof readPanel>;

/** Returns of each quantile at a horizon minus those of all stocks in basis points, their bins and their shares. */
function readPanel({ detail, plan }: FactorAnalysis, horizon: number, mostBins: number) {
  const is = (name: string, value: number) => pl.col(name).eq(pl.lit(value));
  const table = detail.quantileSessions.filter(is("horizon", horizon));
  const buckets = Array.from({ length: plan.quantiles }, (_, i) => {
    const own = table.filter(is("quantile", i + 1)).getColumn("mean_excess").toArray();
    return (own as readonly (number | null)[])
      .flatMap((value) => value === null || Number.isNaN(value) ? [] : [BASIS_POINTS * value]);
  });
  const values = Float64Array.from(buckets.flat()).sort();
  const [low, high] = endsOf(values);
  const drawn = buckets.map((own) => own.filter((value) => value >= low && value <= high));
  const boxes = buckets.flatMap((own, i) => own.length === 0 ? [] : [boxOf(own, i + 1)]);
  const bins = binsOf(drawn, roundWidth((high - low) / mostBins));
  return { horizon, buckets, values, bins, boxes, outside: values.length - drawn.flat().length };
}

/** Ends of the axis: a single value far away would leave one bin. */
function endsOf(sorted: Float64Array): readonly [number, number] {
  const cut = Math.floor(TAIL * sorted.length);
  const [from, to] = [SHARES[0]!, 1 - SHARES[0]!].map((share) => quantileOfSorted(sorted, share));
  const reach = MOST_REACH * (to! - from!);
  const [low, high] = [sorted[cut]!, sorted.at(-1 - cut)!];
  return reach > 0 ? [Math.max(low, from! - reach), Math.min(high, to! + reach)] : [low, high];
}

/** Bins to the left of each quantile, the fullest of all as wide as there is room. */
function binsOf(buckets: readonly (readonly number[])[], size: number) {
  const counts = buckets.map((own) => Map.groupBy(own, (value) => Math.floor(value / size)));
  const most = counts.reduce(
    (most, bins) => [...bins.values()].reduce((a, { length }) => Math.max(a, length), most),
    1,
  );
  return counts.flatMap((own, i) =>
    [...own].map(([bin, { length: sessions }]) => ({
      bucket: i + 1,
      from: toValue(i + 0.94 - REACH * sessions / most),
      to: i + 0.94,
      low: toValue(bin * size),
      high: toValue((bin + 1) * size),
      sessions,
    }))
  );
}

function boxOf(values: readonly number[], bucket: number) {
  const sorted = Float64Array.from(values).sort();
  const [low, lower, median, upper, high] = SHARES
    .map((share) => toValue(quantileOfSorted(sorted, share)) as number) as Box;
  const mean = toValue(meanOf(values));
  const marks = { low, lower, median, upper, high, mean };
  return { bucket, at: bucket + 0.16, ...marks, sessions: values.length };
}

type Box = [low: number, lower: number, median: number, upper: number, high: number];

/** Share of sessions in which the extreme quantiles are above all stocks, in a sentence. */
function findingOf({ horizon, buckets }: Panel): string {
  const share = (own: readonly number[]) =>
    `${percentText(own.filter((value) => value > 0).length / own.length, 0)} of ` +
    `${countText(own.length, "session")}`;
  const [top, bottom] = [buckets.at(-1)!, buckets[0]!];
  const said = [
    top.length === 0
      ? `Quantile ${buckets.length} has no return`
      : `Quantile ${buckets.length} beats the mean of all stocks in ${share(top)}`,
    bottom.length === 0 ? "quantile 1 has no return" : `quantile 1 in ${share(bottom)}`,
  ];
  return `${said.join(", ")}, ${countText(horizon, "session")} ahead`;
}

function view(
  { horizon, bins, boxes }: Panel,
  { width, count }: { readonly width: number; readonly count: number },
): ChartSpec {
  const x = {
    field: "at",
    type: "quantitative",
    title: BUCKET_TITLE,
    scale: { domain: [0.4, count + 0.6], nice: false, zero: false },
    axis: { values: Array.from({ length: count }, (_, i) => i + 1), format: "d", grid: false },
  };
  const [from, y] = [{ ...x, field: "from" }, (field: string) => quantity(field, { title: "bps" })];
  const bar = { rows: bins, color: MAIN_COLOR, opacity: 0.75, tooltip: BIN_TIPS };
  const box = { rows: boxes, tooltip: BOX_TIPS, x };
  const median = { filled: true, size: 44, color: MAIN_COLOR };
  return {
    name: `horizon_${horizon}`,
    width,
    height: 220,
    layer: [
      ruleAt(0),
      mark("rect", { ...bar, x: from, x2: "to", y: y("low"), y2: "high" }),
      mark("rule", { ...box, color: OTHER_COLOR, y: y("low"), y2: "high" }),
      mark("bar", { ...box, size: 5, color: OTHER_COLOR, y: y("lower"), y2: "upper" }),
      mark("point", { ...box, ...median, y: y("median") }),
      panelName(countText(horizon, "session")),
    ],
  };
}

/** Number of values that the axis leaves out, and the extremes of all. */
function outsideText(outside: number, values: Float64Array): string {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const reach = values.length === 0
    ? ""
    : `; all values reach from ${decimalText(low, 0)} to ${decimalText(high, 0)} bps`;
  return `${groupThousands(outside)} of ${groupThousands(values.length)} values lie beyond the ` +
    `axis${reach}`;
}

function describe({ horizon, boxes, values, outside }: Panel): string {
  const at = `At ${countText(horizon, "session")}`;
  if (boxes.length === 0) return `${at} there is no return.`;
  const bps = (value: number) => decimalText(value, Math.abs(value) < 10 ? 1 : 0);
  const said = boxes.map(({ bucket, lower, median, upper }) =>
    `${bps(lower)} to ${bps(upper)} (median ${bps(median)}) in quantile ${bucket}`
  );
  const wide = [...new Set([boxes[0]!, boxes.at(-1)!])]
    .map(({ bucket, low, high }) => `${bps(low)} to ${bps(high)} in quantile ${bucket}`);
  return `${at} the interquartile range in bps is ${said.join(", ")}, the 5th to 95th percentile ` +
    `${wide.join(" and ")}; ${outsideText(outside, values)}.`;
}
