import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { labelsAt, quantity, rulesAt, tip } from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";
import { numberIn, type Row, rowsOf } from "../grammar/values.ts";
import { andText } from "../../../base/wording/and_text.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import {
  countText,
  decimalText,
  percentText,
  valueText,
} from "../../../base/wording/number_text.ts";

const MOST_PILES = 5;
const MOST_DECIMALS = 12;

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
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = distributionChart(analysis);
 * if (!chart.description.includes("mean boundaries between quantiles")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function distributionChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, { about: "Distribution of the scores" });
  const rows = rowsOf(analysis.detail.distribution.table);
  if (rows.length === 0) return layOutNothing(subject, whyNoScores(analysis));
  const edges = rowsOf(analysis.detail.distribution.edges).map((row): Row => ({
    edge: row["edge"]!,
    label: `${row["quantile"]}|${numberIn(row, "quantile") + 1}`,
  }));
  const total = rows.reduce((sum, row) => sum + numberIn(row, "rows"), 0);
  const piles = rows.filter((row) => row["kind"] === "pile");
  const decimals = decimalsOf(rows);
  const cuts = edges.map((row) => scoreText(numberIn(row, "edge"), decimals)).join(", ");
  const [low, high] = rangeOf(rows).map((end) => scoreText(end, decimals));
  const beyond = rows.filter((row) => row["kind"] === "tail")
    .reduce((sum, row) => sum + numberIn(row, "rows"), 0);
  const outside = beyond === 0
    ? []
    : [`${groupThousands(beyond)} of ${countText(total, "score")} lie beyond the axis`];
  return layOutFinding(subject, {
    finding: `${countText(total, "score")} from ${low} to ${high}, ${describePiles(piles, total)}`,
    subtitle: [
      "Dashed: mean boundaries between quantiles; separate bars: tied scores",
      ...outside,
    ],
    details: `${describeShape(rows, decimals)}${outside.map((text) => `${text}. `).join("")}${
      cuts === "" ? "" : `The mean boundaries between quantiles are ${cuts}.`
    }`,
    views: [view(rows, edges, { width: subject.widthPx, decimals })],
  });
}

/** Reason why an analysis keeps no scores. */
function whyNoScores({ detail, aligned: { loss } }: FactorAnalysis): string {
  if (loss.rows === 0) return "the scores have no rows";
  const scored = rowsOf(detail.coverage.bySession, ["scored"])
    .some((row) => numberIn(row, "scored") > 0);
  return scored
    ? "an analysis merged from parts keeps no scores; analyse some years in one piece"
    : "no row has a score on a session of the prices";
}

function rangeOf(rows: readonly Row[]): readonly [number, number] {
  const known = rows.filter((row) => numberIn(row, "rows") > 0);
  const low = known.reduce((least, row) => Math.min(least, numberIn(row, "low")), Infinity);
  const high = known.reduce((most, row) => Math.max(most, numberIn(row, "high")), -Infinity);
  return [low, high];
}

// As many as tell two of fifty bins apart, without the outliers; scores of returns are thousandths.
function decimalsOf(rows: readonly Row[]): number {
  const [low, high] = rangeOf(rows.filter((row) => row["kind"] !== "tail"));
  const size = high > low ? high - low : Math.abs(high);
  return size > 0 && size < Infinity
    ? Math.min(MOST_DECIMALS, Math.max(2, Math.ceil(Math.log10(50 / size))))
    : 2;
}

// An outlier of 10¹² is shown by its order of magnitude.
function scoreText(score: number, decimals: number): string {
  return Math.abs(score) < 1e6 ? decimalText(score, decimals) : valueText(score);
}

function exactText(score: number): string {
  const text = String(score);
  return (text.includes("e") ? text : groupThousands(text)).replaceAll("-", "−");
}

/** Scores that many rows share: all if they are few, otherwise the most frequent. */
function describePiles(piles: readonly Row[], total: number): string {
  if (piles.length === 0) return "with no value shared by 0.2% of the rows";
  const few = piles.length <= MOST_PILES + 1
    ? piles
    : piles.toSorted((a, b) => numberIn(b, "rows") - numberIn(a, "rows")).slice(0, MOST_PILES);
  const said = few.map((row) =>
    `${percentText(numberIn(row, "rows") / total)} are exactly ${exactText(numberIn(row, "low"))}`
  );
  const others = piles.length - few.length;
  const more = others === 0
    ? ""
    : ` and ${countText(others, "other value")} are shared by 0.2% or more each`;
  return `of which ${others === 0 ? andText(said) : said.join(", ")}${more}`;
}

/** Most frequent scores. */
function describeShape(rows: readonly Row[], decimals: number): string {
  const bins = rows.filter((row) => row["kind"] === "bin" && numberIn(row, "rows") > 0);
  if (bins.length === 0) return "";
  const tallest = bins.reduce((a, b) => numberIn(b, "rows") > numberIn(a, "rows") ? b : a);
  const at = (name: string) => scoreText(numberIn(tallest, name), decimals);
  return `The tallest bar (${countText(numberIn(tallest, "rows"), "row")}) spans ${at("low")} to ${
    at("high")
  }. `;
}

function view(
  rows: readonly Row[],
  edges: readonly Row[],
  { width, decimals }: { readonly width: number; readonly decimals: number },
): ChartSpec {
  const digits = `.${decimals + 1}f`;
  const ends = [tip("low", "from", digits), tip("high", "to", digits)];
  const y = quantity("rows", { title: "rows", format: ",d" });
  const of = (kind: string) => ({ values: rows.filter((row) => row["kind"] === kind) });
  const plain = scoreAxis(rows);
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
          tooltip: [...ends, tip("rows", "rows", ",d")],
        },
      },
      {
        data: of("pile"),
        mark: { type: "bar", color: OTHER_COLOR, size: 4 },
        encoding: {
          x: plain,
          y,
          tooltip: [tip("low", "exactly", ",.12~g"), tip("rows", "rows", ",d")],
        },
      },
      rulesAt(edges, "edge", { strokeDash: [4, 3], color: QUIET_COLOR }),
      labelsAt(edges, { field: "edge", label: "label" }, { y: -6 }),
    ],
  };
}

function scoreAxis(rows: readonly Row[]): ChartSpec {
  const [low, high] = [rows.at(0), rows.at(-1)].map((row) => numberIn(row, "low"));
  // One score has no range of its own.
  const isOne = rows.every((row) => row["low"] === low && row["high"] === high) && low === high;
  const domain = isOne ? { domain: [low! - 0.5, low! + 0.5] } : {};
  const scale = { nice: false, ...domain };
  return { ...quantity("low", { title: "score", fromZero: false, scale }), title: "score" };
}
