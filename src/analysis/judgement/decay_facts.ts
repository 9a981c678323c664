import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { halfLifeText } from "../../base/wording/sentences/half_life_text.ts";
import { SHORTEST } from "../series/fit_decay.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";

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
