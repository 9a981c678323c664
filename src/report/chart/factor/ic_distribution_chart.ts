import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AllHorizonsChartOptions, readHorizons } from "../grammar/subject/analysis_subject.ts";
import { countBars, quantity, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";
import { inBlocks, numberIn, type Row, rowsOf } from "../grammar/values.ts";
import { countBins } from "../grammar/count_bins.ts";
import { clipTails } from "../grammar/clip_tails.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";

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
 *   placebo: false,
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
  const panels = horizons.map((horizon) => readPanel(analysis, horizon));
  const known = panels.filter(({ pairs }) => pairs.length > 0);
  if (known.length === 0) {
    return layOutNothing(subject, "a distribution needs the ICs of two sessions");
  }
  const width = Math.floor((subject.widthPx - 60) / 2);
  const height = horizons.length === 1 ? 220 : 140;
  return layOutFinding(subject, {
    finding: findingOf(known[0]!),
    subtitle: [
      "Left: sessions, with the mean and its 95% confidence interval. Right: against a normal distribution",
      ...known.flatMap(clippedText),
    ],
    details: known.map((panel, i) =>
      `${i === 0 ? "" : `${findingOf(panel)}. `}${describeTails(panel.pairs)}`
    ).join(" "),
    views: known.map(({ horizon, pairs, summary }) => ({
      name: `horizon_${horizon}`,
      hconcat: [histogram(pairs, summary, { width, height }), qq(pairs, { width, height })],
      spacing: 40,
      ...(horizons.length > 1 && { title: { text: countText(horizon, "session"), fontSize: 11 } }),
    })),
  });
}

interface Panel {
  readonly horizon: number;
  /** Each IC beside its normal quantile, ascending. */
  readonly pairs: readonly Row[];
  readonly summary: Row | undefined;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function readPanel({ detail, summary }: FactorAnalysis, horizon: number): Panel {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const pairs = rowsOf(detail.icQuantiles.filter(of).select("value", "normal"))
    .filter((row) => !Number.isNaN(numberIn(row, "value")));
  return { horizon, pairs, summary: rowsOf(summary.table.filter(of))[0] };
}

function findingOf({ horizon, pairs, summary }: Panel): string {
  const deviation = numberIn(summary, "deviation");
  const spread = Number.isNaN(deviation) ? "" : `, standard deviation ${decimalText(deviation, 3)}`;
  return `Mean IC ${meanPhrase(summary, 3)}${spread}, ${countText(pairs.length, "session")}${
    horizon === 1 ? "" : `, ${countText(horizon, "session")} ahead`
  }`;
}

function clippedText({ horizon, pairs }: Panel): readonly string[] {
  const { said } = clipTails(valuesOf(pairs), "session");
  return said.map((text) => `${countText(horizon, "session")} ahead, left: ${text}`);
}

function valuesOf(pairs: readonly Row[]): readonly number[] {
  return pairs.map((row) => numberIn(row, "value"));
}

function histogram(
  pairs: readonly Row[],
  summary: Row | undefined,
  { width, height }: Size,
): ChartSpec {
  const bins = countBins(clipTails(valuesOf(pairs), "session").drawn, BINS);
  return {
    width,
    height,
    layer: [
      countBars(bins, {
        ...{ axis: { title: "rank IC" }, counted: "sessions", format: ".3f", color: MAIN_COLOR },
      }),
      ...intervalLayers(summary),
    ],
  };
}

function intervalLayers(summary: Row | undefined): readonly ChartSpec[] {
  if (summary === undefined) return [];
  const { mean, low, high } = summary;
  const data = { values: [{ mean, low, high, zero: 0 }] };
  const at = (field: string) => ({ field, type: "quantitative" });
  return [
    {
      data,
      mark: { type: "rect", color: OTHER_COLOR, opacity: 0.35 },
      encoding: { x: at("low"), x2: { field: "high" } },
    },
    {
      data,
      mark: { type: "rule", color: OTHER_COLOR, strokeWidth: 2 },
      encoding: { x: at("mean") },
    },
    { data, mark: { type: "rule", color: QUIET_COLOR }, encoding: { x: at("zero") } },
  ];
}

function qq(pairs: readonly Row[], { width, height }: Size): ChartSpec {
  const ends = [pairs[0], pairs.at(-1)].flatMap((row) => row === undefined ? [] : [row]);
  // This picture is about the tails: one point per block is drawn, and always both ends.
  const middle = inBlocks(pairs, MOST_POINTS).map((block) => block[block.length >> 1]!);
  const shown = [...new Set([...pairs.slice(0, 1), ...middle, ...pairs.slice(-1)])];
  const x = quantity("normal", { title: "normal with the same mean and deviation" });
  return {
    width,
    height,
    layer: [
      {
        data: { values: ends },
        mark: { type: "line", color: QUIET_COLOR, strokeDash: [4, 3] },
        encoding: { x, y: quantity("normal", { title: "rank IC" }) },
      },
      {
        data: { values: shown },
        mark: { type: "point", filled: true, size: 14, color: MAIN_COLOR },
        encoding: {
          x,
          y: quantity("value", { title: "rank IC" }),
          tooltip: [tip("value", "IC", ".4f"), tip("normal", "normal", ".4f")],
        },
      },
    ],
  };
}

function describeTails(pairs: readonly Row[]): string {
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined || first === last) return "One session has an IC.";
  const side = (row: Row) =>
    `${decimalText(numberIn(row, "value"), 3)} (normal quantile ${
      decimalText(numberIn(row, "normal"), 3)
    })`;
  return `The smallest IC is ${side(first)}, the largest ${side(last)}.`;
}
