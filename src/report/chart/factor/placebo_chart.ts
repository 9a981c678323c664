import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { decimalText } from "../../../base/wording/number_text.ts";
import { detectableText } from "../../../base/wording/sentences/test_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { countBins } from "../grammar/count_bins.ts";
import { countBars, looksBy, tip } from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { numberIn, type Row, rowsOf, textIn } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const BINS = 40;

/**
 * Draws the mean IC against those of placebos, copies of the scores shifted in time so that they have no relation to the
 * returns, and the minimum detectable mean at 80% power. Without copies the picture says why.
 *
 * @param analysis The result of `analyzeFactor()`, with placebo shifts
 * @param options The horizon, title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { placeboChart } from "scoreframe/chart";
 * import pl from "nodejs-polars";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * // A fast signal: yesterday's return. Scores of earnings calls last for months, so that their copies are withheld.
 * const yesterday = pl.col("close").shift(1).over("ticker");
 * const scores = prices.select("date", "ticker", pl.col("close").div(yesterday).alias("score"));
 * const analysis = await analyzeFactor(scores, prices, { placebo: { draws: 99 }, progress: false });
 * const chart = placeboChart(analysis);
 * if (!chart.description.includes("of 99 shifted copies")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function placeboChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, {
    about: "Placebo: IC of scores shifted in time",
    hasHorizon: true,
  });
  const { horizon } = subject;
  const check = rowsOf(analysis.summary.checks)
    .find((one) => one["check"] === "placebo shifts" && one["horizon"] === horizon);
  const means = [...analysis.detail.placebo?.means.get(horizon) ?? []].filter(Number.isFinite);
  if (means.length === 0) {
    return layOutNothing(
      subject,
      check?.["reason"] === "persistent_scores"
        ? `the shifted copies are ${textIn(check, "detail")}`
        : whyNoCopies(analysis),
    );
  }
  const row = rowsOf(analysis.summary.table).find((one) => one["horizon"] === horizon);
  return layOutFinding(subject, {
    ...textsOf(row, check, means),
    caution: "The copies are few and dependent: this is a placebo, not a test",
    views: [{ width: subject.widthPx, height: 200, layer: layersOf(means, row) }],
  });
}

function whyNoCopies({ plan, detail }: FactorAnalysis): string {
  if (plan.placebo === null) return "no shifted copies were computed; leave out placebo: false";
  return detail.placebo === null
    ? "the shifted copies are of the whole sample, not of a period of it; analyse the period by itself"
    : "the sample is too short for shifted copies";
}

/** Finding, subtitle and details; the check says how many copies are as far out, and whether all lie on the side of the mean. */
function textsOf(row: Row | undefined, check: Row | undefined, means: readonly number[]) {
  const [verdict, ...standing] = textIn(check, "detail").split("; ");
  const detectable = numberIn(row, "detectable");
  const power = Number.isNaN(detectable)
    ? "Too few windows for a minimum detectable mean IC"
    : detectableText(decimalText(detectable, 3));
  const range = `The copies lie between ${decimalText(Math.min(...means), 3)} and ` +
    `${decimalText(Math.max(...means), 3)}`;
  const tilt = standing.filter((text) => text.startsWith("all lie"))
    .map((text) => `Of the copies ${text}`);
  return {
    finding: `Mean IC ${decimalText(numberIn(row, "mean"), 3)}: ${verdict}`,
    subtitle: [...tilt, power],
    details: [range, ...tilt, power].join(". "),
  };
}

function layersOf(means: readonly number[], row: Row | undefined): readonly ChartSpec[] {
  const marks = [
    { kind: "mean of the scores", at: row?.["mean"] ?? null },
    { kind: "minimum detectable", at: row?.["detectable"] ?? null },
    { kind: "zero", at: 0 },
  ];
  const kinds = marks.map(({ kind }) => kind);
  return [
    ...countBars(countBins(means, BINS), {
      axis: { title: "mean rank IC" },
      ...{ counted: "shifted copies", format: ".4f", color: QUIET_COLOR },
    }),
    mark("rule", {
      rows: marks.filter(({ at }) => at !== null),
      strokeWidth: 2,
      x: { field: "at", type: "quantitative" },
      color: looksBy("kind", kinds, [MAIN_COLOR, OTHER_COLOR, QUIET_COLOR]),
      strokeDash: looksBy("kind", kinds, [[1, 0], [5, 3], [1, 0]]),
      tooltip: [tip("kind", "mark"), tip("at", "mean IC", ".4f")],
    }),
  ];
}
