import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { clipTails, countBins } from "../grammar/count_bins.ts";
import { countBars, ruleAt, rulesAt } from "../grammar/encodings.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { ascending, numberIn, rowsOf } from "../grammar/values.ts";
import { mark } from "../mark.ts";
import { OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const BINS = 40;

/**
 * Draws the distribution of the ICs by session: a histogram with their mean and its 95% interval.
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
 * if (!chart.description.includes("standard deviation")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icDistributionChart(
  analysis: FactorAnalysis,
  options: ChartOptions & { readonly horizon?: number | "all" } = {},
): Chart {
  const subject = readSubject(analysis, options, "Distribution of the IC", { of: "each horizon" });
  const { horizons, widthPx: width } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon))
    .filter(({ sorted }) => sorted.length > 1);
  const [first] = panels;
  if (first === undefined) {
    return layOutNothing(subject, "a distribution needs the ICs of two sessions");
  }
  return layOutFinding(subject, {
    finding: findingOf(first),
    subtitle: [
      "Bars: sessions; line and band: the mean with its 95% confidence interval",
      ...panels.flatMap(({ horizon, clipped }) =>
        clipped.said.map((text) => `${countText(horizon, "session")} ahead: ${text}`)
      ),
    ],
    details: panels.map((panel, i) => {
      const ends = [panel.sorted[0]!, panel.sorted.at(-1)!].map((ic) => decimalText(ic, 3));
      return `${i === 0 ? "" : `${findingOf(panel)}. `}The ICs lie between ${ends.join(" and ")}.`;
    }).join(" "),
    views: panels.map((panel) => ({
      name: `horizon_${panel.horizon}`,
      width,
      height: horizons.length === 1 ? 220 : 140,
      layer: layersOf(panel),
      ...horizons.length > 1 &&
        { title: { text: countText(panel.horizon, "session"), fontSize: 11 } },
    })),
  });
}

type Panel = ReturnType<typeof readPanel>;

function readPanel({ ic, summary: { table } }: FactorAnalysis, horizon: number) {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const sorted = ascending(rowsOf(ic.filter(of), ["ic"]), "ic").map((row) => row.ic);
  const [summary] = rowsOf(table.filter(of));
  return { horizon, sorted, summary, clipped: clipTails(sorted, "session") };
}

function findingOf({ horizon, sorted, summary }: Panel): string {
  const deviation = numberIn(summary, "deviation");
  const spread = Number.isNaN(deviation) ? "" : `, standard deviation ${decimalText(deviation, 3)}`;
  const ahead = horizon === 1 ? "" : `, ${countText(horizon, "session")} ahead`;
  const over = countText(sorted.length, "session");
  return `Mean IC ${meanPhrase(summary, 3)}${spread}, ${over}${ahead}`;
}

function layersOf({ clipped, summary }: Panel): readonly ChartSpec[] {
  const look = { axis: { title: "rank IC" }, counted: "sessions", format: ".3f" };
  const bars = countBars(countBins(clipped.drawn, BINS), look);
  if (summary === undefined) return [...bars, ruleAt(0)];
  const rows = [{ mean: summary.mean, low: summary.low, high: summary.high }];
  const at = (field: string) => ({ field, type: "quantitative" });
  return [
    ...bars,
    mark("rect", { rows, color: OTHER_COLOR, opacity: 0.35, x: at("low"), x2: "high" }),
    rulesAt(rows, "mean", { color: OTHER_COLOR, strokeWidth: 2 }),
    rulesAt([{ at: 0 }], "at", { color: QUIET_COLOR }),
  ];
}
