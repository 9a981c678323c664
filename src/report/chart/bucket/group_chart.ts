import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { BASIS_POINTS, countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { BUCKET_AXIS } from "../grammar/bucket_axis.ts";
import { bucketColors, TEXT_COLOR } from "../palette.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

const MOST_GROUPS = 24;
const IN_ROW = 4;
const TIPS = [
  tip("group", "group"),
  tip("quantile", "quantile"),
  tip("excess", "minus all stocks, bps", ".2f"),
  tip("low", "95% CI from", ".2f"),
  tip("high", "to", ".2f"),
  tip("sessions", "sessions", ",d"),
  tip("names", "stocks per session", ".1f"),
];

/**
 * Draws the mean return of each quantile minus that of all stocks in each group (sector, size or another column of `groups`), as small
 * pictures on one axis, each with the mean IC of the group and its 95% confidence interval.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon, title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import pl from "nodejs-polars";
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { groupChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const groups = prices.sort("date").groupBy("ticker").agg(pl.col("close").first()).select(
 *   pl.col("ticker"),
 *   pl.when(pl.col("close").gt(40)).then(pl.lit("first close above 40"))
 *     .otherwise(pl.lit("first close up to 40")).alias("group"),
 * );
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   groups,
 *   progress: false,
 * });
 * const chart = groupChart(analysis);
 * if (!chart.description.includes("of 2 groups")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function groupChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, {
    about: "IC and returns by group",
    hasHorizon: true,
  });
  const { groups, quantilesByGroup } = analysis.detail;
  if (groups === null || quantilesByGroup === null) {
    return layOutNothing(
      subject,
      groups === null ? "the analysis has no groups" : "an analysis merged from parts keeps none",
    );
  }
  const of = pl.col("horizon").eq(pl.lit(subject.horizon));
  const means = rowsOf(groups.table.filter(of))
    .filter((row) => !Number.isNaN(numberIn(row, "mean")))
    .toSorted((a, b) => numberIn(b, "mean") - numberIn(a, "mean"));
  if (means.length === 0) return layOutNothing(subject, "no group has an IC");
  const shown = means.slice(0, MOST_GROUPS);
  const columns = Math.min(IN_ROW, shown.length);
  const bars = rowsOf(quantilesByGroup.filter(of)).map(toBar);
  return layOutFinding(subject, {
    finding: findingOf(means),
    subtitle: [subtitleOf(means.length)],
    details: `${means.map((row) => `${row["part"]}: ${meanPhrase(row, 3)}`).join("; ")}.`,
    views: [{
      columns,
      spacing: 18,
      concat: shown.map((mean) =>
        panel(bars.filter((row) => row["group"] === mean["part"]), mean, {
          width: Math.floor(subject.widthPx / columns) - 38,
          count: analysis.plan.quantiles,
          domain: domainOf(bars),
        })
      ),
      resolve: { scale: { color: "shared" } },
    }],
  });
}

function subtitleOf(groups: number): string {
  const bars =
    "Bars: mean return minus that of all stocks in basis points, lines: 95% confidence intervals";
  return groups > MOST_GROUPS
    ? `${bars}. Shown: the ${MOST_GROUPS} of ${groups} groups with the highest mean IC`
    : bars;
}

function findingOf(means: readonly Row[]): string {
  const above = means.filter((row) => numberIn(row, "low") > 0).length;
  const [best, worst] = [means[0]!, means.at(-1)!];
  if (means.length === 1) {
    return `Mean IC ${meanPhrase(best, 3)} in the only group, ${best["part"]}`;
  }
  const ic = (row: Row) => `${decimalText(numberIn(row, "mean"), 3)} (${row["part"]})`;
  return `95% CI of the mean IC above zero in ${above} of ${
    countText(means.length, "group")
  }: means from ${ic(worst)} to ${ic(best)}`;
}

function toBar(row: Row): Row {
  const bps = (name: string) => toValue(BASIS_POINTS * numberIn(row, name));
  return {
    group: row["group"]!,
    quantile: row["quantile"]!,
    excess: bps("mean_excess"),
    low: bps("excess_low"),
    high: bps("excess_high"),
    sessions: row["sessions"]!,
    names: toValue(row["names"]),
  };
}

/** Common axis of all groups, so that they can be compared. */
function domainOf(bars: readonly Row[]): readonly [number, number] {
  const values = bars.flatMap((row) => ["excess", "low", "high"].map((name) => numberIn(row, name)))
    .filter((value) => !Number.isNaN(value));
  return [Math.min(0, ...values), Math.max(0, ...values)];
}

interface PanelPlan {
  readonly width: number;
  readonly count: number;
  readonly domain: readonly [number, number];
}

function panel(rows: readonly Row[], mean: Row, { width, count, domain }: PanelPlan): ChartSpec {
  const y = quantity("excess", {
    title: null,
    scale: { domain: [...domain] },
    axis: { tickCount: 3 },
  });
  const x = { ...BUCKET_AXIS, title: null };
  const color = {
    field: "quantile",
    type: "ordinal",
    legend: null,
    scale: { domain: Array.from({ length: count }, (_, i) => i + 1), range: bucketColors(count) },
  };
  return {
    title: {
      text: String(mean["part"]),
      subtitle: `IC ${meanPhrase(mean, 3).replace("95% CI ", "")}`,
      fontSize: 11,
      subtitleFontSize: 9,
      offset: 4,
    },
    width,
    height: 90,
    data: { values: rows },
    layer: [
      { mark: { type: "bar" }, encoding: { x, y, color, tooltip: TIPS } },
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", color: TEXT_COLOR },
        encoding: { x, y: { field: "low", type: "quantitative" }, y2: { field: "high" } },
      },
      ruleAt(0),
    ],
  };
}
