import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import { compareSheets } from "../../../src/report/sheet/compare_sheets.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { analyzeInParts } from "../../desk/dataset/part/_in_parts.ts";
import { SAMPLE_MARKET, SAMPLE_SCORES } from "../../helpers/sample_analysis.ts";

const OPTIONS = {
  lags: [1, 2, 3, 5, 8, 13, 21],
  placebo: false as const,
  progress: false,
  groups: pl.DataFrame({
    ticker: Array.from({ length: 12 }, (_, i) => `T${i}`),
    group: Array.from({ length: 12 }, (_, i) => i < 11 ? "A" : "B"),
  }),
};
const PARTS = ["2010-02-26", "2010-05-10"].map((date) => Date.parse(date) / 86_400_000);
const LONG_MS = 60_000;

const OF_AN_ANALYSIS = [
  ...["decayChart", "factorCoverageChart", "icAgeChart", "icChart", "icDistributionChart"],
  ...["icMonthChart", "lossChart", "quantileChart", "quantileDistributionChart"],
  ...[
    "cumulativeQuantileReturnChart",
    "spreadChart",
    "stabilityChart",
    "turnoverChart",
    "cumulativeReturnChart",
  ],
] as const;

let merged: FactorAnalysis;
let whole: FactorAnalysis;
beforeAll(async () => {
  const { prices } = SAMPLE_MARKET;
  merged = await analyzeInParts(SAMPLE_SCORES, prices, { options: OPTIONS, cuts: PARTS });
  whole = await analyzeFactor(SAMPLE_SCORES, prices, OPTIONS);
}, LONG_MS);

/** What a chart of an analysis shows and says, or why it cannot be drawn. */
function drawn(name: string, analysis: FactorAnalysis): string {
  const draw = (charts as unknown as Record<string, (of: FactorAnalysis) => charts.Chart>)[name]!;
  try {
    const { spec, description } = draw(analysis);
    return JSON.stringify({ spec, description });
  } catch (error) {
    return String(error);
  }
}

describe("an analysis that was merged from parts", () => {
  test.each(OF_AN_ANALYSIS)("has the %s of one in memory", (name) => {
    const [one, other] = [drawn(name, merged), drawn(name, whole)];
    // Over more than one session new stocks are counted in memory alone.
    if (name === "turnoverChart") {
      expect(JSON.parse(one).description).toBe(JSON.parse(other).description);
    } else expect(one).toBe(other);
  });

  test("has no distribution of scores to draw, and says what to do", () => {
    expect(charts.distributionChart(merged).description).toMatch(/^Nothing to draw: .*merged/);
    expect(charts.distributionChart(whole).description).not.toContain("Nothing to draw");
  });

  test("has no placebo shifts to draw, and says what to do", () => {
    expect(charts.placeboChart(merged).description).toMatch(/^Nothing to draw: .*merged/);
  });

  test("has the tear sheet of one in memory, but for the distribution of scores", () => {
    const sheets = [tearSheet(merged), tearSheet(whole)] as const;
    for (const [i, part] of sheets[1].parts.entries()) {
      if (part.name === "coverage") continue;
      // The entry is moved in memory alone, and what leads to shifted copies is another thing.
      if (part.name === "costs" || part.name === "placebo") continue;
      // The text of a trial log says when it was made.
      if (part.name === "trialLog") continue;
      expect(sheets[0].parts[i]!.text, part.name).toBe(part.text);
    }
    expect(sheets[0].text).toMatch(/Nothing to draw: .*merged/);
    expect(sheets[1].text).toContain("1,556 scores from");
    expect(sheets[1].text).not.toContain("Nothing to draw: an analysis merged");
  });

  test("is compared with one in memory", async () => {
    expect(await compareSheets([merged, whole]).toHtml()).toContain("<svg");
  });
});
