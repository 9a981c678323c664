import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { andText } from "../../../base/wording/words.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, percentText, valueText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { countBars, rulesAt } from "../grammar/encodings.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { columnSum, rowsOf } from "../grammar/values.ts";
import { QUIET_COLOR } from "../palette.ts";

const MOST_PILES = 5;

/**
 * Draws the distribution of the scores of all sessions: a histogram, separate bars for values shared by at least one row in
 * 500, and the mean boundaries between quantiles.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { distributionChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = distributionChart(analysis);
 * if (!chart.description.includes("mean boundaries between quantiles")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function distributionChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, "Distribution of the scores");
  const { distribution } = analysis.detail;
  const rows = countedOf(analysis);
  if (rows.length === 0) {
    return layOutNothing(subject, "no row has a score on a session of the prices");
  }
  const edges = rowsOf(distribution.edges).map(({ edge }) => ({ edge: edge! }));
  const total = columnSum(rows, "count");
  const cuts = edges.map(({ edge }) => valueText(edge)).join(", ");
  const found = rows.filter(({ count }) => count > 0);
  const low = valueText(Math.min(...found.map((row) => row.low)));
  const high = valueText(Math.max(...found.map((row) => row.high)));
  const beyond = columnSum(rows.filter(({ kind }) => kind === "tail"), "count");
  const lie = `${groupThousands(beyond)} of ${countText(total, "score")} lie beyond the axis`;
  const outside = beyond === 0 ? [] : [lie];
  return layOutFinding(subject, {
    finding: `${countText(total, "score")} from ${low} to ${high}, ${describePiles(rows, total)}`,
    subtitle: ["Dashed: mean boundaries between quantiles; separate bars: tied scores", ...outside],
    details: [
      ...outside.map((text) => `${text}.`),
      ...cuts === "" ? [] : [`The mean boundaries between quantiles are ${cuts}.`],
    ].join(" "),
    views: [{
      width: subject.widthPx,
      height: 220,
      layer: [...barsOf(rows), rulesAt(edges, "edge", { strokeDash: [4, 3], color: QUIET_COLOR })],
    }],
  });
}

/** Scores of a bin or a tail, from `low` to `high`; or a score that many rows share. */
type Counted = ReturnType<typeof countedOf>[number];

function countedOf({ detail }: FactorAnalysis) {
  return rowsOf(detail.distribution.table).map(({ kind, low, high, rows: count }) => (
    { kind, low: low!, high: high!, value: low!, count: count! }
  ));
}

/** Scores that many rows share: all if they are few, otherwise the most frequent. */
function describePiles(rows: readonly Counted[], total: number): string {
  const piles = rows.filter(({ kind }) => kind === "pile");
  if (piles.length === 0) return "with no value shared by 0.2% of the rows";
  const few = piles.length <= MOST_PILES + 1
    ? piles
    : piles.toSorted((a, b) => b.count - a.count).slice(0, MOST_PILES);
  const said = few.map(({ low, count }) =>
    `${percentText(count / total)} are exactly ${valueText(low)}`
  );
  const others = piles.length - few.length;
  const more = others === 0
    ? ""
    : ` and ${countText(others, "other value")} are shared by 0.2% or more each`;
  return `of which ${others === 0 ? andText(said) : said.join(", ")}${more}`;
}

function barsOf(rows: readonly Counted[]): readonly ChartSpec[] {
  const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted);
  const [first, last] = [rows[0]!.low, rows.at(-1)!.low];
  // One score has no range of its own.
  const isOne = first === last && rows.every(({ low, high }) => low === first && high === first);
  const domain = isOne ? { domain: [first - 0.5, first + 0.5] } : {};
  return countBars(of("bin"), {
    axis: { title: "score", fromZero: false, scale: { nice: false, ...domain } },
    opacity: 0.7,
    counted: "rows",
    format: ".4~g",
    piles: of("pile"),
    exact: ",.12~g",
  });
}
