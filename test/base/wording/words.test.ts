import { beforeAll, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { analysisParts } from "../../../src/report/sheet/analysis_parts.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";

// Words that the field does not have for these things, and numbers as English does not print them.
const FOREIGN = [
  /\d %/,
  /(?<![\d,.])\d{4,} (?:sessions|months|rows|tickers|stocks|tests)/,
  /(?<![\d,.])1 (?:sessions|months|rows|tickers|stocks|tests|degrees)\b/,
  /(?<![\d,.])(?!1 )\d+ (?:session|month|row|ticker|stock|test|degree)\b(?! form)/,
  /\bits? band\b|\bnames\b|became of|Holm's way|four times in five|holds zero|\bfades\b|\bfading\b/,
  /\bno significance\b|windows that do not overlap|\bin the ledger\b/,
];

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

test.each(FOREIGN.map((pattern) => [pattern]))(
  "judgement, methods and summaries are in the terms of the field: not %s",
  (pattern) => {
    const parts = Object.values(analysisParts(analysis, { horizon: 1, beside: {} }));
    const texts = [
      ...judgement(analysis).text.split("\n"),
      ...analysis.text.split("\n"),
      analysis.monotonicity.text,
      analysis.stability.text,
      ...parts.map((make) => make()).flatMap(({ title, paragraphs, tables }) => [
        title,
        ...paragraphs,
        ...Object.keys(tables),
      ]),
    ];
    expect(texts.filter((text) => pattern.test(text))).toEqual([]);
  },
);

test("a judgement and a summary say the same of a mean IC", () => {
  const said = judgement(analysis).facts.getColumn("statement").toArray().join(" ");
  const [first = ""] = analysis.summary.text.split("\n");
  const [sentence = ""] = first.split(/(?<=\))\. /);
  expect(sentence).toMatch(/mean IC at .* 0\.\d{3} \(95% CI /);
  expect(said).toContain(sentence.replace("mean IC", "mean rank IC"));
});
