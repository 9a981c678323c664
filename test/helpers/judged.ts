import type { FactorAnalysis } from "../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../src/analysis/judgement/judgement.ts";
import type { JudgementOptions } from "../../src/analysis/judgement/fact.ts";

/** All sentences of a judgement below its head, with those that its text leaves out. */
export function judged(analysis: FactorAnalysis, options: JudgementOptions = {}): string {
  const { text, facts } = judgement(analysis, options);
  return [text.split("\n")[0], ...facts.getColumn("statement").toArray()].join(" ");
}
