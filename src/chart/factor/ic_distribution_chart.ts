import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { binned, quantity, tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, intervalText } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { inBlocks, numberIn, type Row, rowsOf } from "../grammar/values.ts";
import { countBins } from "../grammar/count_bins.ts";

const BINS = 40;
const MOST_POINTS = 250;

/**
 * Draws how the ICs of sessions are distributed: a histogram with their mean and its 95 % interval, and beside it their
 * quantiles against those of a normal distribution of the same mean and deviation.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options The horizon, title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
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
 *   noise: false,
 *   progress: false,
 * });
 * const chart = icDistributionChart(analysis);
 * if (!chart.description.includes("where a normal distribution has")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icDistributionChart(
  analysis: FactorAnalysis,
  options: HorizonChartOptions = {},
): Chart {
  const about = { title: "Distribution of the IC", hasHorizon: true };
  const subject = readSubject(analysis, options, about);
  const of = pl.col("horizon").eq(pl.lit(subject.horizon));
  const pairs = rowsOf(analysis.detail.icQuantiles.filter(of).select("value", "normal"));
  const row = rowsOf(analysis.summary.table).find((one) => one["horizon"] === subject.horizon);
  const width = Math.floor((subject.widthPx - 60) / 2);
  const [mean, n] = [numberIn(row, "mean"), pairs.length];
  const found = Number.isNaN(mean)
    ? "No session has an IC"
    : `Mean ${decimals(mean, 3)} (${
      intervalText(numberIn(row, "low"), numberIn(row, "high"), 3)
    }), deviation ${decimals(numberIn(row, "deviation"), 3)} over ${n} sessions`;
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, found],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${found}. ${describeTails(pairs)}`,
    views: [{ hconcat: [histogram(pairs, row, width), qq(pairs, width)], spacing: 40 }],
  });
}

function histogram(pairs: readonly Row[], summary: Row | undefined, width: number): ChartSpec {
  const bins = countBins(pairs.map((row) => numberIn(row, "value")), BINS);
  const interval = summary === undefined
    ? []
    : [{ mean: summary["mean"], low: summary["low"], high: summary["high"], zero: 0 }];
  return {
    width,
    height: 220,
    layer: [
      {
        data: { values: bins },
        mark: { type: "bar", color: MAIN_COLOR, opacity: 0.75 },
        encoding: {
          ...binned({ title: "rank IC", format: ".2f", fromZero: true }),
          y: quantity("count", { title: "sessions", format: "d" }),
          tooltip: [
            tip("low", "from", ".3f"),
            tip("high", "to", ".3f"),
            tip("count", "sessions", "d"),
          ],
        },
      },
      {
        data: { values: interval },
        mark: { type: "rect", color: OTHER_COLOR, opacity: 0.35 },
        encoding: { x: { field: "low", type: "quantitative" }, x2: { field: "high" } },
      },
      {
        data: { values: interval },
        mark: { type: "rule", color: OTHER_COLOR, strokeWidth: 2 },
        encoding: { x: { field: "mean", type: "quantitative" } },
      },
      {
        data: { values: interval },
        mark: { type: "rule", color: QUIET_COLOR },
        encoding: { x: { field: "zero", type: "quantitative" } },
      },
    ],
  };
}

function qq(pairs: readonly Row[], width: number): ChartSpec {
  const ends = [pairs[0], pairs.at(-1)].flatMap((row) => row === undefined ? [] : [row]);
  // The tails are what this picture is for: of a block one point is drawn, and both ends always.
  const middle = inBlocks(pairs, MOST_POINTS).map((block) => block[block.length >> 1]!);
  const shown = [...new Set([...pairs.slice(0, 1), ...middle, ...pairs.slice(-1)])];
  const x = quantity("normal", { title: "normal with the same mean and deviation", format: ".2f" });
  return {
    width,
    height: 220,
    layer: [
      {
        data: { values: ends },
        mark: { type: "line", color: QUIET_COLOR, strokeDash: [4, 3] },
        encoding: { x, y: quantity("normal", { title: "rank IC", format: ".2f" }) },
      },
      {
        data: { values: shown },
        mark: { type: "point", filled: true, size: 14, color: MAIN_COLOR },
        encoding: {
          x,
          y: quantity("value", { title: "rank IC", format: ".2f" }),
          tooltip: [tip("value", "IC", ".4f"), tip("normal", "normal", ".4f")],
        },
      },
    ],
  };
}

function describeTails(pairs: readonly Row[]): string {
  const [first, last] = [pairs[0], pairs.at(-1)];
  if (first === undefined || last === undefined) return "There is nothing to compare.";
  const side = (row: Row) =>
    `${decimals(numberIn(row, "value"), 3)} where a normal distribution has ${
      decimals(numberIn(row, "normal"), 3)
    }`;
  return `The smallest IC is ${side(first)}, the largest is ${side(last)}.`;
}
