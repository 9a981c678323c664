import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { binned, quantity, tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { numberIn, type Row, rowsOf, textIn, toValue } from "../grammar/values.ts";
import { countBins } from "../grammar/count_bins.ts";

const BINS = 40;

/**
 * Draws the mean IC among those of copies of the scores that were moved in time, which have no relation to the returns, and the
 * mean that such a sample would have found four times in five.
 *
 * @param analysis What `analyzeFactor()` gave, with a noise control
 * @param options The horizon, title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no such horizon, or no noise control
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { noiseChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: { draws: 99 },
 *   progress: false,
 * });
 * const chart = noiseChart(analysis);
 * if (!chart.description.includes("of 99 shifted copies")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function noiseChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { title: "Noise control", hasHorizon: true });
  const { horizon } = subject;
  const means = [...analysis.detail.noise?.means.get(horizon) ?? []].filter(Number.isFinite);
  if (means.length === 0) {
    throw new RangeError(
      "Cannot draw a noise control: an analysis with shifted copies is required, this one has none; " +
        "leave out noise: false, and make it in memory, as parts cannot be shifted together",
    );
  }
  const row = rowsOf(analysis.summary.table).find((one) => one["horizon"] === horizon);
  const check = rowsOf(analysis.summary.checks)
    .find((one) => one["check"] === "noise control" && one["horizon"] === horizon);
  const found = `Mean IC ${decimals(numberIn(row, "mean"), 3)}: ${textIn(check, "detail")}`;
  const detectable = numberIn(row, "detectable");
  const power = Number.isNaN(detectable)
    ? "Too few windows to say what this sample would have found"
    : `This sample finds a mean of ${decimals(detectable, 3)} four times in five`;
  const range = `The copies lie between ${decimals(Math.min(...means), 3)} and ${
    decimals(Math.max(...means), 3)
  }`;
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, found, power],
    footnote: `${subject.footnote}. Copies are few and depend on each other: a control, no p value`,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${found}. ${range}. ${power}.`,
    views: [view(means, row, subject.widthPx)],
  });
}

function view(means: readonly number[], row: Row | undefined, width: number): ChartSpec {
  const bins = countBins(means, BINS);
  return {
    width,
    height: 200,
    layer: [
      {
        data: { values: bins },
        mark: { type: "bar", color: QUIET_COLOR, opacity: 0.75 },
        encoding: {
          ...binned({ title: "mean rank IC", format: ".3f" }),
          y: quantity("count", { title: "shifted copies", format: "d", axis: { tickMinStep: 1 } }),
          tooltip: [
            tip("low", "from", ".4f"),
            tip("high", "to", ".4f"),
            tip("count", "copies", "d"),
          ],
        },
      },
      markLayer(row),
    ],
  };
}

function markLayer(row: Row | undefined): ChartSpec {
  const marks = [
    { kind: "mean of the scores", at: row?.["mean"] ?? null },
    { kind: "found four times in five", at: row?.["detectable"] ?? null },
    { kind: "zero", at: 0 },
  ].filter(({ at }) => at !== null).map(({ kind, at }) => ({ kind, at: toValue(at) }));
  const domain = ["mean of the scores", "found four times in five", "zero"];
  return {
    data: { values: marks },
    mark: { type: "rule", strokeWidth: 2 },
    encoding: {
      x: { field: "at", type: "quantitative" },
      color: {
        field: "kind",
        type: "nominal",
        title: null,
        scale: { domain, range: [MAIN_COLOR, OTHER_COLOR, QUIET_COLOR] },
      },
      strokeDash: {
        field: "kind",
        type: "nominal",
        title: null,
        scale: { domain, range: [[1, 0], [5, 3], [1, 0]] },
      },
      tooltip: [tip("kind", "mark"), tip("at", "mean IC", ".4f")],
    },
  };
}
