import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { listText } from "../../../base/arguments/list_text.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import {
  type Bar,
  barLayers,
  byHorizon,
  horizonOffset,
  quantileColor,
  toBar,
} from "./quantile_chart.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { pointsWithIntervals } from "../grammar/interval_view.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import {
  type Known,
  numberIn,
  type RowOf,
  rowsOf,
  type Value,
  withNumber,
} from "../grammar/values.ts";

const MOST_GROUPS = 24;
const IN_ROW = 4;
const KEY =
  "Above: mean IC at each horizon. Below: mean return minus that of all stocks in basis points. Lines: 95% confidence intervals";

/**
 * Draws the mean IC of each group (sector, size or another column of `groups`) at every horizon, and the mean return of its quantiles
 * minus that of all stocks as small pictures on one axis, with 95% confidence intervals.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title, width and horizon, one of the analysis (by default the shortest)
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
 *   groups,
 *   progress: false,
 * });
 * const chart = groupChart(analysis);
 * if (!chart.description.includes("of 2 groups")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function groupChart(
  analysis: FactorAnalysis,
  options: ChartOptions & { readonly horizon?: number } = {},
): Chart {
  const subject = readSubject(analysis, options, "IC and returns by group", { of: "a horizon" });
  const { groups, quantilesByGroup } = analysis.detail;
  if (groups === null || quantilesByGroup === null) {
    return layOutNothing({ ...subject, whyNoIc: undefined }, "the analysis has no groups");
  }
  const of = pl.col("horizon").eq(pl.lit(subject.horizon));
  const all = rowsOf(groups.table.filter(of));
  const means = withNumber(all, "mean").toSorted((a, b) => b.mean - a.mean);
  if (means.length === 0) return layOutNothing(subject, "no group has an IC");
  const shown = means.slice(0, MOST_GROUPS);
  const { widthPx: width } = subject;
  const bars = rowsOf(quantilesByGroup.filter(of))
    .map((row) => ({ ...toBar(row), group: row["group"]! }));
  return layOutFinding(subject, {
    finding: findingOf(all, means),
    subtitle: [
      means.length > MOST_GROUPS
        ? `${KEY}. Shown: the ${MOST_GROUPS} of ${means.length} groups with the highest mean IC`
        : KEY,
    ],
    details: `${[...means, ...all.filter(({ mean }) => mean === null)].map(groupText).join("; ")}.`,
    views: [{
      spacing: 14,
      // Horizons above, quantiles below.
      resolve: { scale: { color: "independent" } },
      vconcat: [
        icView(analysis, shown, width),
        barsView(bars, shown, { width, color: quantileColor(analysis.plan.quantiles) }),
      ],
    }],
  });
}

type Part = RowOf<FactorAnalysis["stability"]["table"]>;
type Mean = Known<Part, "mean">;

/** Groups with an interval; a mean of a few sessions is no finding, and the groups without an interval are named. */
function findingOf(all: readonly Part[], means: readonly Mean[]): string {
  const tested = means.filter(({ low }) => low !== null);
  const untested = all.filter(({ low }) => low === null).map(({ part }) => String(part));
  const others = untested.length === 0 ? "" : `; no interval in ${listText(untested)}`;
  if (tested.length === 0) return "No group has a confidence interval of the mean IC";
  const above = tested.filter((row) => numberIn(row, "low") > 0).length;
  const [best, worst] = [tested[0]!, tested.at(-1)!];
  if (tested.length === 1) {
    const which = all.length === 1 ? "the only group, " : "";
    return `Mean IC ${meanPhrase(best, 3)} in ${which}${best.part}${others}`;
  }
  const ic = ({ mean, part }: Mean) => `${decimalText(mean, 3)} (${part})`;
  return `95% CI of the mean IC above zero in ${above} of ${countText(all.length, "group")}: ` +
    `means from ${ic(worst)} to ${ic(best)}${others}`;
}

function groupText(row: Part): string {
  if (row.sessions === 0) return `${row.part}: no IC, since no session has enough of its stocks`;
  const few = row.low === null ? ` in ${countText(numberIn(row, "sessions"), "session")}` : "";
  return `${row.part}: ${meanPhrase(row, 3)}${few}`;
}

/** Mean ICs of the groups at every horizon, the groups in their order at the one that the chart is of. */
function icView(
  { detail, aligned: { periods } }: FactorAnalysis,
  shown: readonly Mean[],
  width: number,
): ChartSpec {
  const all = rowsOf(detail.groups!.table).map((row) => ({ ...row, ahead: String(row.horizon) }));
  return pointsWithIntervals(
    shown.flatMap(({ part }) => all.filter((row) => row.part === part)),
    { width, title: "mean rank IC", color: byHorizon(periods), offset: horizonOffset(periods) },
  );
}

/** Returns of the quantiles of each group, on a common axis, so that they can be compared. */
function barsView(
  bars: readonly (Bar & { readonly group: Value })[],
  shown: readonly Mean[],
  { width, color }: { readonly width: number; readonly color: ChartSpec },
): ChartSpec {
  const columns = Math.min(IN_ROW, shown.length);
  const values = bars.flatMap((row) => [row.excess, row.excess_low, row.excess_high])
    .filter((value) => value !== null);
  const domain = [Math.min(0, ...values), Math.max(0, ...values)];
  const axis = { title: null, scale: { domain }, axis: { tickCount: 3 } };
  const panels = shown.map((mean): ChartSpec => ({
    title: {
      text: mean.part,
      subtitle: `IC ${meanPhrase(mean, 3).replace("95% CI ", "")}`,
      fontSize: 11,
      subtitleFontSize: 9,
      offset: 4,
    },
    width: Math.floor(width / columns) - 38,
    height: 90,
    data: { values: bars.filter(({ group }) => group === mean.part) },
    layer: barLayers({ axis, color }),
  }));
  return { columns, spacing: 18, concat: panels };
}
