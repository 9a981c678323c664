import { countText, decimalText, intervalText, pPhrase } from "../../base/wording/number_text.ts";
import { detectableText, meanText } from "../../base/wording/sentences/test_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, folded, TOPICS } from "./fact.ts";
import {
  type HALF_LIFE_COLUMNS,
  halfLifeNumber,
  holdsEveryLag,
  SHORTEST,
} from "../series/half_life.ts";
import type { RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import type { RecordOf } from "../table/columns.ts";

/** The mean IC by horizon, with its test. */
export function icFacts({ summary, detail }: FactorAnalysis): readonly Fact[] {
  return summary.table.toRecords().map((row) => {
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
}

/** The IC before the scores were made neutral, and after. */
export function residualFacts({ residualIc }: FactorAnalysis): readonly Fact[] {
  return (residualIc?.toRecords() ?? []).flatMap((row) => {
    const { mean: value, low, high, sessions } = row;
    if (row.raw === null || row.residual === null) return [];
    const statement = residualIcText(row);
    return [fact(TOPICS.ic, statement, { value, low, high, n: sessions!, source: "residualIc" })];
  });
}

/** The half-life of the IC. */
export function decayFacts(analysis: FactorAnalysis): readonly Fact[] {
  const [row] = analysis.halfLife.toRecords();
  if (row === undefined) return [];
  const { half_life: value, half_life_low: low, half_life_high: high } = row;
  return [
    fact(TOPICS.decay, halfLifeText(row, lagsText(analysis), reachedLags(analysis)), {
      ...{ value, low, high, n: row.sessions ?? 0, source: "halfLife" },
    }),
  ];
}

/** The half-life of the IC in a sentence, or why none is estimated. */
export function halfLifeText(
  row: RecordOf<typeof HALF_LIFE_COLUMNS>,
  lags: string,
  reached: readonly number[],
): string {
  const { half_life: halfLife, half_life_low: low, half_life_high: high, reason } = row;
  const over = countText(row.sessions ?? 0, "session");
  if (halfLife !== null && holdsEveryLag(low, high, reached)) {
    return `The half-life of the IC is not determined, because its 95% CI includes all of ${lags} (${over}).`;
  }
  if (halfLife !== null && !Number.isNaN(halfLife)) {
    const textOf = (value: number) =>
      value < SHORTEST ? `below ${SHORTEST}` : halfLifeNumber(value);
    return `The half-life of the IC is ${halfLifeNumber(halfLife)} sessions ` +
      `(${intervalText([low, high], textOf)}), fitted to ${lags} (${over}).`;
  }
  switch (reason) {
    case "shorter_than_grid":
      return `The half-life of the IC is below ${SHORTEST} sessions, the shortest that is fitted (${lags}, ${over}).`;
    case "no_relation":
      return "No half-life is estimated: the 95% CI of the IC fitted at lag " +
        `${Math.min(...reached)} includes zero (${decimalText(row.level_low!, 3)} to ` +
        `${decimalText(row.level_high!, 3)}; ${lags}; ${over}).`;
    case "no_decay":
      return `No half-life is estimated, because the IC does not decay over ${lags} (${over}).`;
    default:
      return "No half-life is estimated, because a fit requires the ICs of 20 sessions at 3 lags.";
  }
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

/** Raw and residual IC of the same stocks, and of residual scores with residual returns. */
function residualIcText(row: RecordOf<typeof RESIDUAL_IC_COLUMNS>): string {
  const text = (value: number) => decimalText(value, 3);
  const { mean, low, high } = row;
  const sessions = countText(row.sessions!, "session");
  const apart = mean === null
    ? ` (${sessions})`
    : `; they differ by ${text(mean)} (${intervalText([low, high], text)}; ${sessions})`;
  const neutral = row.specific === null
    ? ""
    : ` With returns made neutral as well it is ${text(row.specific)}.`;
  return `At ${countText(row.horizon!, "session")}, the mean rank IC of the same stocks is ` +
    `${text(row.raw!)} before the scores are made neutral and ${text(row.residual!)} ` +
    `after${apart}.${neutral}`;
}

/** Effects that the tests could have found where they found nothing, and the permutation test. */
export function robustnessFacts(analysis: FactorAnalysis): readonly Fact[] {
  const open = analysis.summary.table.toRecords()
    .filter(({ t, low, high }) => t !== null && low! <= 0 && high! >= 0)
    .map(({ horizon, detectable, sessions: n }) => {
      const statement = `${detectableText(decimalText(detectable!, 3))} at ` +
        `${countText(horizon!, "session")} (${countText(n!, "session")}).`;
      return fact(TOPICS.robustness, statement, { value: detectable, n, source: "summary.table" });
    });
  return [...open, ...folded(permutationFact(analysis))];
}

function permutationFact({ permutation, plan }: FactorAnalysis): readonly Fact[] {
  const [row] = permutation?.toRecords() ?? [];
  if (row === undefined || row.p === null || !plan.periods.includes(1)) return [];
  const { sessions: n, p, mean, z } = row;
  const within = row.within === "group" ? "each session and group" : "each session";
  const statement =
    `The permutation test at 1 session permutes residual returns within ${within}; ` +
    `it gives ${pPhrase(p)} for a mean IC of ${decimalText(mean!, 3)} ` +
    `with residual returns (z = ${decimalText(z!, 2)}; ${countText(n!, "session")}).`;
  return [fact(TOPICS.robustness, statement, { value: p, n, source: "permutation" })];
}
