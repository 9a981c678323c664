import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { labelsAt, quantity, rulesAt, tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, percent } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { numberIn, type Row, rowsOf } from "../grammar/values.ts";

/**
 * Draws how the scores of all sessions are distributed: a histogram, scores that at least one row of 500 shares as bars of
 * their own, and the mean edges between buckets.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no scores in memory, as one that was merged from parts
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
 *   noise: false,
 *   progress: false,
 * });
 * const chart = distributionChart(analysis);
 * if (!chart.description.includes("mean edges between buckets")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function distributionChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, { title: "Distribution of the scores" });
  const rows = rowsOf(analysis.detail.distribution.table);
  if (rows.length === 0) {
    throw new RangeError(
      "Cannot draw the distribution of scores: expected scores in memory, got none; an analysis " +
        "that was merged from parts keeps none, draw it of analyzeFactor() over some years",
    );
  }
  const edges = rowsOf(analysis.detail.distribution.edges).map((row): Row => ({
    edge: row["edge"]!,
    label: `${row["quantile"]}|${numberIn(row, "quantile") + 1}`,
  }));
  const total = rows.reduce((sum, row) => sum + numberIn(row, "rows"), 0);
  const piles = rows.filter((row) => row["kind"] === "pile").map((row) =>
    `${percent(numberIn(row, "rows") / total)} are exactly ${row["low"]}`
  );
  const said = piles.length === 0 ? "No score is shared by one row of 500" : piles.join(", ");
  const cuts = edges.map((row) => decimals(numberIn(row, "edge"), 2)).join(", ");
  return layOutChart({
    title: subject.title,
    subtitle: [
      `${groupThousands(total)} scores, ${subject.sample}`,
      `${said}. Dashed: mean edges between buckets`,
    ],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${groupThousands(total)} scores, ${subject.sample}. ${said}. ` +
      `${describeShape(rows)}The mean edges between buckets are ${cuts}.`,
    views: [view(rows, edges, subject.widthPx)],
  });
}

/** Where the scores lie, and where most of them do. */
function describeShape(rows: readonly Row[]): string {
  const bins = rows.filter((row) => row["kind"] === "bin" && numberIn(row, "rows") > 0);
  const ends = rows.filter((row) => numberIn(row, "rows") > 0);
  if (bins.length === 0) return "";
  const low = ends.reduce((least, row) => Math.min(least, numberIn(row, "low")), Infinity);
  const high = ends.reduce((most, row) => Math.max(most, numberIn(row, "high")), -Infinity);
  const tallest = bins.reduce((a, b) => numberIn(b, "rows") > numberIn(a, "rows") ? b : a);
  const at = (value: number) => decimals(value, 2);
  return `They lie between ${at(low)} and ${at(high)}; the tallest bar, ${
    groupThousands(numberIn(tallest, "rows"))
  } rows, stands from ${at(numberIn(tallest, "low"))} to ${at(numberIn(tallest, "high"))}. `;
}

function view(rows: readonly Row[], edges: readonly Row[], width: number): ChartSpec {
  const y = quantity("rows", { title: "rows", format: ",d" });
  const x = (field: string) =>
    quantity(field, { title: "score", fromZero: false, scale: { nice: false } });
  const of = (kind: string) => ({ values: rows.filter((row) => row["kind"] === kind) });
  const plain = { ...x("low"), title: "score" };
  return {
    width,
    height: 220,
    layer: [
      {
        data: of("bin"),
        mark: { type: "bar", color: MAIN_COLOR, opacity: 0.7 },
        encoding: {
          x: { ...plain, bin: "binned" },
          x2: { field: "high" },
          y,
          tooltip: [tip("low", "from", ".3f"), tip("high", "to", ".3f"), tip("rows", "rows", ",d")],
        },
      },
      {
        data: of("pile"),
        mark: { type: "bar", color: OTHER_COLOR, size: 4 },
        encoding: {
          x: plain,
          y,
          tooltip: [tip("low", "exactly", ".4f"), tip("rows", "rows", ",d")],
        },
      },
      rulesAt(edges, "edge", { strokeDash: [4, 3], color: QUIET_COLOR }),
      labelsAt(edges, { field: "edge", label: "label" }, { y: -6 }),
    ],
  };
}
