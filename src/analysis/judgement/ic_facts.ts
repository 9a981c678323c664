import { countText, decimalText } from "../../base/wording/number_text.ts";
import { residualIcText } from "../../base/wording/sentences/residual_ic_text.ts";
import { meanText } from "../../base/wording/sentences/test_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";

/** The mean IC by horizon, with its test, and the IC before the scores were made neutral. */
export function icFacts({ summary, detail, residualIc }: FactorAnalysis): readonly Fact[] {
  const means = summary.table.toRecords().map((row) => {
    const { mean, low, high, sessions: n } = row;
    const horizon = row.horizon!;
    const statement = mean === null
      ? `There is no IC at ${countText(horizon, "session")}: ${detail.whyNoIc.get(horizon)!}`
      : meanText({
        ...{ what: "mean rank IC", horizon, mean, low, high, n: n!, reason: row.reason },
        ...{ t: row.t, df: row.df, p: row.p, overlap: row.overlap!, windows: row.windows! },
      }, (value) => decimalText(value, 3));
    return fact(TOPICS.ic, `${statement}.`, {
      ...{ value: mean, low, high, n, source: "summary.table" },
    });
  });
  const compared = (residualIc?.toRecords() ?? []).flatMap((row) => {
    const { raw, residual, specific, mean: value, low, high } = row;
    if (raw === null || residual === null) return [];
    const difference = { value, low, high, n: row.sessions! };
    const statement = residualIcText({
      ...{ horizon: row.horizon!, raw, residual, specific, difference },
    });
    return [fact(TOPICS.ic, statement, { ...difference, source: "residualIc" })];
  });
  return [...means, ...compared];
}
