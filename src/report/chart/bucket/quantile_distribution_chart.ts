import { meanOf, quantileOfSorted } from "../../../base/statistics/moments.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { roundWidth } from "../grammar/count_bins.ts";
import { quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../palette.ts";
import { numberIn, type Row, toValue } from "../grammar/values.ts";
import { BUCKET_TITLE } from "../grammar/bucket_axis.ts";
import { panelName, panelWidth } from "./_panels.ts";
import {
  BASIS_POINTS,
  countText,
  decimalText,
  percentText,
} from "../../../base/wording/number_text.ts";

const MOST_ROWS = 700;
const MOST_BINS = 30;
// The tails would shrink the rest to a line; they are counted instead of drawn.
const TAIL = 0.005;
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
 * bar, the 5th to 95th percentile as a line, and the median. Half a percent at each end is counted, not drawn.
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
 *   placebo: false,
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
  const values = valuesBy(analysis);
  const panels = periods.map((horizon) =>
    toPanel(Array.from({ length: count }, (_, i) => values.get(keyOf(horizon, i + 1)) ?? []), {
      horizon,
      mostBins: Math.min(MOST_BINS, Math.floor(MOST_ROWS / (count * periods.length))),
    })
  );
  const known = panels.filter(({ horizon }) =>
    values.has(keyOf(horizon, 1)) || values.has(keyOf(horizon, count))
  );
  if (known.length === 0) {
    return layOutNothing(subject, "neither the top nor the bottom quantile has a return");
  }
  const width = panelWidth(subject.widthPx, known.length);
  return layOutFinding(subject, {
    finding: findingOf(values, { horizon: known[0]!.horizon, count }),
    subtitle: [
      "Means by session in basis points, minus the mean of all stocks of the session",
      `Bars: middle 50%, lines: middle 90%, circles: median. ${outsideText(panels)}`,
    ],
    ...periods.at(-1) !== 1 && { caution: "Returns of more than one session overlap" },
    details: panels.map(describe).join(" "),
    views: [{ spacing: 24, hconcat: known.map((panel) => view(panel, { width, count })) }],
  });
}

/** Share of sessions in which the extreme quantiles are above all stocks, in a sentence. */
function findingOf(
  values: ReadonlyMap<number, readonly number[]>,
  { horizon, count }: { readonly horizon: number; readonly count: number },
): string {
  const [top, bottom] = [count, 1].map((quantile) => {
    const own = values.get(keyOf(horizon, quantile)) ?? [];
    const above = own.filter((value) => value > 0).length / own.length;
    return own.length === 0
      ? `Quantile ${quantile} has no return`
      : `Quantile ${quantile} beats the mean of all stocks in ${percentText(above, 0)} of ${
        countText(own.length, "session")
      }`;
  });
  return `${top}, ${
    bottom!.replace("Quantile", "quantile").replace("beats the mean of all stocks in ", "in ")
  }, ${countText(horizon, "session")} ahead`;
}

/** Returns minus those of all stocks in basis points, by horizon and quantile. Rows as objects would take longer than the picture. */
function valuesBy({ detail: { quantileSessions } }: FactorAnalysis): ReadonlyMap<number, number[]> {
  const [horizons, quantiles, excesses] = ["horizon", "quantile", "mean_excess"].map((name) =>
    quantileSessions.getColumn(name).toArray() as readonly (number | null)[]
  );
  const found = new Map<number, number[]>();
  for (const [row, excess] of excesses!.entries()) {
    if (excess === null || Number.isNaN(excess)) continue;
    const key = keyOf(horizons![row]!, quantiles![row]!);
    const own = found.get(key);
    if (own === undefined) found.set(key, [BASIS_POINTS * excess]);
    else own.push(BASIS_POINTS * excess);
  }
  return found;
}

// A text for each of many thousand rows would take longer than the picture.
function keyOf(horizon: number, quantile: number): number {
  return 10_000 * horizon + quantile;
}

interface Panel {
  readonly horizon: number;
  /** Bins of all quantiles. */
  readonly bins: readonly Row[];
  /** One row per quantile with values. */
  readonly boxes: readonly Row[];
  /** Number of values. */
  readonly count: number;
  /** Lowest and highest value; none without values. */
  readonly extremes: readonly number[];
  /** Number of values outside the picture. */
  readonly outside: number;
}

function toPanel(
  buckets: readonly (readonly number[])[],
  { horizon, mostBins }: { readonly horizon: number; readonly mostBins: number },
): Panel {
  const all = Float64Array.from(buckets.flat()).sort();
  const [low, high] = [quantileOfSorted(all, TAIL), quantileOfSorted(all, 1 - TAIL)];
  const drawn = buckets.map((own) => own.filter((value) => value >= low && value <= high));
  const size = roundWidth((high - low) / mostBins);
  const counts = drawn.map((own) => countsOf(own, size));
  const most = Math.max(1, ...counts.flatMap((bins) => [...bins.values()]));
  const bins = counts.flatMap((own, i) =>
    [...own].map(([bin, sessions]): Row => ({
      bucket: i + 1,
      from: toValue(i + 0.94 - REACH * sessions / most),
      to: i + 0.94,
      low: toValue(bin * size),
      high: toValue((bin + 1) * size),
      sessions,
    }))
  );
  const boxes = buckets.flatMap((own, i) => own.length === 0 ? [] : [toBox(own, i + 1)]);
  const outside = all.length - drawn.reduce((sum, own) => sum + own.length, 0);
  const extremes = all.length === 0 ? [] : [all[0]!, all.at(-1)!];
  return { horizon, bins, boxes, extremes, count: all.length, outside };
}

/** Number of values by bin. */
function countsOf(values: readonly number[], size: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) {
    const bin = Math.floor(value / size);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  return counts;
}

function toBox(values: readonly number[], bucket: number): Row {
  const sorted = Float64Array.from(values).sort();
  const marks = MARKS.map((name, i) => [name, toValue(quantileOfSorted(sorted, SHARES[i]!))]);
  const mean = meanOf(values);
  return {
    bucket,
    at: bucket + 0.16,
    ...Object.fromEntries(marks),
    mean: toValue(mean),
    sessions: values.length,
  };
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
  return {
    name: `horizon_${horizon}`,
    width,
    height: 220,
    layer: [
      ruleAt(0),
      {
        data: { values: bins },
        mark: { type: "rect", color: MAIN_COLOR, opacity: 0.75 },
        encoding: {
          x: { ...x, field: "from" },
          x2: { field: "to" },
          y: amount("low"),
          y2: { field: "high" },
          tooltip: BIN_TIPS,
        },
      },
      ...boxLayers(boxes, x),
      panelName(countText(horizon, "session")),
    ],
  };
}

function boxLayers(boxes: readonly Row[], x: ChartSpec): readonly ChartSpec[] {
  const layer = (mark: ChartSpec, encoding: ChartSpec) => ({
    data: { values: boxes },
    mark,
    encoding: { x, tooltip: BOX_TIPS, ...encoding },
  });
  const [line, bar] = [["low", "high"], ["lower", "upper"]].map(([from, to]) => ({
    y: amount(from!),
    y2: { field: to },
  }));
  return [
    layer({ type: "rule", color: OTHER_COLOR }, line!),
    layer({ type: "bar", size: 5, color: OTHER_COLOR }, bar!),
    layer({ type: "point", filled: true, size: 44, color: MAIN_COLOR }, { y: amount("median") }),
  ];
}

function amount(field: string): ChartSpec {
  return quantity(field, { title: "bps" });
}

/** Number of values that the axis leaves out, and the extremes among them. */
function outsideText(panels: readonly Panel[]): string {
  const sum = (read: (panel: Panel) => number) =>
    groupThousands(panels.reduce((total, panel) => total + read(panel), 0));
  const [out, all] = [sum(({ outside }) => outside), sum(({ count }) => count)];
  const extremes = extremesText(panels.flatMap((panel) => panel.extremes));
  return `${out} of ${all} values lie beyond the axis${extremes}`;
}

function extremesText(extremes: readonly number[]): string {
  if (extremes.length === 0) return "";
  const [low, high] = [Math.min(...extremes), Math.max(...extremes)];
  return `, which reach from ${decimalText(low, 0)} to ${decimalText(high, 0)} bps`;
}

function describe({ horizon, boxes, extremes, count, outside }: Panel): string {
  const at = `At ${countText(horizon, "session")}`;
  if (boxes.length === 0) return `${at} there is no return.`;
  const bps = (row: Row, name: string) => {
    const value = numberIn(row, name);
    return decimalText(value, Math.abs(value) < 10 ? 1 : 0);
  };
  const said = boxes.map((row) =>
    `${bps(row, "lower")} to ${bps(row, "upper")} (median ${bps(row, "median")}) in quantile ${
      row["bucket"]
    }`
  );
  const wide = [...new Set([boxes[0]!, boxes.at(-1)!])].map((row) =>
    `${bps(row, "low")} to ${bps(row, "high")} in quantile ${row["bucket"]}`
  );
  return `${at} the interquartile range in bps is ${said.join(", ")}, the 5th to 95th percentile ${
    wide.join(" and ")
  }; ${groupThousands(outside)} of ${groupThousands(count)} values lie beyond the axis${
    extremesText(extremes)
  }.`;
}
