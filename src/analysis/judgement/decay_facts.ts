import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { halfLifeText } from "../../base/wording/sentences/half_life_text.ts";
import { SHORTEST } from "../series/fit_decay.ts";
import { type Fact, fact } from "./fact.ts";
import { readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

/** The half-life of the IC. */
export function decayFacts(analysis: FactorAnalysis): readonly Fact[] {
  const [row] = readRows(analysis.halfLife);
  if (row === undefined) return [];
  const [low, high] = [row.number("half_life_low"), row.number("half_life_high")];
  const halfLife = row.number("half_life");
  const sessions = row.number("sessions") ?? 0;
  const statement = halfLifeText({
    halfLife,
    low,
    high,
    levelLow: row.number("level_low"),
    levelHigh: row.number("level_high"),
    sessions,
    reason: row.text("reason"),
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
  return readRows(decayMeans).filter((row) => row.number("mean") !== null)
    .map((row) => Number(row.text("group")));
}
