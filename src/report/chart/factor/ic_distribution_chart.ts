import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { clipTails, countBins } from "../grammar/count_bins.ts";
import { countBars, quantity, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type AllHorizonsChartOptions, readHorizons } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { inBlocks } from "../grammar/thin_rows.ts";
import { numberIn, rowsOf, withNumber } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const BINS = 40;
const MOST_POINTS = 250;

/**
 * Draws the distribution of the ICs by session: a histogram with their mean and its 95% interval, and beside it a Q–Q
 * plot against a normal distribution of the same mean and standard deviation.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon or "all", title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { icDistributionChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = icDistributionChart(analysis);
 * if (!chart.description.includes("normal quantile")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icDistributionChart(
  analysis: FactorAnalysis,
  options: AllHorizonsChartOptions = {},
): Chart {
  const subject = readHorizons(analysis, options, { about: "Distribution of the IC" });
  const { horizons } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon))
    .filter(({ pairs }) => pairs.length > 0);
  const [first] = panels;
  if (first === undefined) {
    return layOutNothing(subject, "a distribution needs the ICs of two sessions");
  }
  const size = {
    width: Math.floor((subject.widthPx - 60) / 2),
    height: horizons.length === 1 ? 220 : 140,
  };
  return layOutFinding(subject, {
    finding: findingOf(first),
    subtitle: [
      "Left: sessions, with the mean and its 95% confidence interval. Right: against a normal distribution",
      ...panels.flatMap(({ horizon, clipped }) =>
        clipped.said.map((text) => `${countText(horizon, "session")} ahead, left: ${text}`)
      ),
    ],
    details: panels.map((panel, i) =>
      `${i === 0 ? "" : `${findingOf(panel)}. `}${describeTails(panel.pairs)}`
    ).join(" "),
    views: panels.map((panel) => ({
      name: `horizon_${panel.horizon}`,
      hconcat: [
        { ...size, layer: histogramLayers(panel) },
        { ...size, layer: quantileLayers(panel.pairs) },
      ],
      spacing: 40,
      ...horizons.length > 1 &&
        { title: { text: countText(panel.horizon, "session"), fontSize: 11 } },
    })),
  });
}

type Panel = ReturnType<typeof readPanel>;
type Pair = Panel["pairs"][number];

/** Each IC beside its normal quantile, ascending, and the summary of all. */
function readPanel({ detail, summary: { table } }: FactorAnalysis, horizon: number) {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const all = rowsOf(detail.icQuantiles.filter(of), ["value", "normal"]);
  const pairs = withNumber(all, "value");
  const clipped = clipTails(pairs.map(({ value }) => value), "session");
  return { horizon, pairs, clipped, summary: rowsOf(table.filter(of))[0] };
}

function findingOf({ horizon, pairs, summary }: Panel): string {
  const deviation = numberIn(summary, "deviation");
  const spread = Number.isNaN(deviation) ? "" : `, standard deviation ${decimalText(deviation, 3)}`;
  return `Mean IC ${meanPhrase(summary, 3)}${spread}, ${countText(pairs.length, "session")}${
    horizon === 1 ? "" : `, ${countText(horizon, "session")} ahead`
  }`;
}

function histogramLayers({ clipped, summary }: Panel): readonly ChartSpec[] {
  const axis = { title: "rank IC" };
  const bars = countBars(countBins(clipped.drawn, BINS), {
    ...{ axis, counted: "sessions", format: ".3f" },
  });
  if (summary === undefined) return bars;
  const { mean, low, high } = summary;
  const rows = [{ mean, low, high, zero: 0 }];
  const at = (field: string) => ({ field, type: "quantitative" });
  return [
    ...bars,
    mark("rect", { rows, color: OTHER_COLOR, opacity: 0.35, x: at("low"), x2: "high" }),
    mark("rule", { rows, color: OTHER_COLOR, strokeWidth: 2, x: at("mean") }),
    mark("rule", { rows, color: QUIET_COLOR, x: at("zero") }),
  ];
}

/** ICs over normal quantiles. This picture is about the tails: one point per block is drawn, and always both ends. */
function quantileLayers(pairs: readonly Pair[]): readonly ChartSpec[] {
  const ends = [...pairs.slice(0, 1), ...pairs.slice(-1)];
  const middle = inBlocks(pairs, MOST_POINTS).map((block) => block[block.length >> 1]!);
  const rows = [...new Set([...pairs.slice(0, 1), ...middle, ...pairs.slice(-1)])];
  const x = quantity("normal", { title: "normal with the same mean and deviation" });
  const y = (field: string) => quantity(field, { title: "rank IC" });
  const line = { color: QUIET_COLOR, strokeDash: [4, 3] };
  const point = { filled: true, size: 14, color: MAIN_COLOR };
  const tooltip = [tip("value", "IC", ".4f"), tip("normal", "normal", ".4f")];
  return [
    mark("line", { rows: ends, ...line, x, y: y("normal") }),
    mark("point", { rows, ...point, x, y: y("value"), tooltip }),
  ];
}

function describeTails(pairs: readonly Pair[]): string {
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined || first === last) return "One session has an IC.";
  const side = ({ value, normal }: Pair) =>
    `${decimalText(value, 3)} (normal quantile ${decimalText(normal ?? NaN, 3)})`;
  return `The smallest IC is ${side(first)}, the largest ${side(last)}.`;
}
