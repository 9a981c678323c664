import { countText, decimalText } from "../../base/wording/number_text.ts";
import { residualIcText } from "../../base/wording/sentences/residual_ic_text.ts";
import { meanText } from "../../base/wording/sentences/test_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";
import { halfLifeText } from "../../base/wording/sentences/half_life_text.ts";
import { SHORTEST } from "../series/fit_decay.ts";

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

/** The half-life of the IC. */
export function decayFacts(analysis: FactorAnalysis): readonly Fact[] {
  const [row] = analysis.halfLife.toRecords();
  if (row === undefined) return [];
  const { half_life: halfLife, half_life_low: low, half_life_high: high, reason } = row;
  const sessions = row.sessions ?? 0;
  const statement = halfLifeText({
    halfLife,
    low,
    high,
    levelLow: row.level_low,
    levelHigh: row.level_high,
    sessions,
    reason,
    lags: lagsText(analysis),
    reached: reachedLags(analysis),
    shortest: SHORTEST,
  });
  return [
    fact(TOPICS.decay, statement, { value: halfLife, low, high, n: sessions, source: "halfLife" }),
  ];
}

/** The lags that the data reaches: those beyond its end have no IC. */
function lagsText(analysis: FactorAnalysis): string {
  const { plan } = analysis;
  const reached = reachedLags(analysis);
  if (reached.length === 0) return `lags ${Math.min(...plan.lags)} to ${Math.max(...plan.lags)}`;
  const last = Math.max(...reached);
  const beyond = Math.max(...plan.lags) > last ? ", the longest in the data" : "";
  return reached.length === 1 ? `lag ${last}` : `lags ${Math.min(...reached)} to ${last}${beyond}`;
}

function reachedLags({ decayMeans }: FactorAnalysis): readonly number[] {
  return decayMeans.toRecords().filter(({ mean }) => mean !== null)
    .map(({ group }) => Number(group));
}
