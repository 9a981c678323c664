import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { countText } from "../../base/wording/number_text.ts";
import { spreadText, stepsText } from "../../base/wording/sentences/quantile_text.ts";
import { type Fact, fact } from "./fact.ts";
import { readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

const TOPIC = TOPICS.quantiles;

/** Returns by quantile: their steps and their spread. */
export function quantileFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { spread } = analysis;
  const [top] = readRows(spread.summary);
  const value = top?.number("mean") ?? null;
  if (top === undefined || value === null) return [noQuantiles(analysis)];
  const [low, high, n] = [top.number("low"), top.number("high"), top.number("sessions")!];
  const about = { horizon: top.number("horizon")!, sessions: n, exposure: spread.exposure };
  return [
    ...stepFact(analysis),
    fact(TOPIC, spreadText({ value, low, high }, about), {
      ...{ value, low, high, n, source: "spread.summary" },
    }),
  ];
}

// A reversed factor is asked whether its returns fall.
function stepFact({ monotonicity }: FactorAnalysis): readonly Fact[] {
  const [ladder] = readRows(monotonicity.table);
  const horizon = ladder?.number("horizon") ?? null;
  const steps = readRows(monotonicity.steps).filter((row) => row.number("horizon") === horizon);
  const isFalling = steps.reduce((sum, row) => sum + (row.number("mean") ?? 0), 0) < 0;
  const p = ladder?.number(isFalling ? "union_p_falling" : "union_p") ?? null;
  if (ladder === undefined || horizon === null || p === null) return [];
  const clear =
    steps.filter((row) => isFalling ? (row.number("high") ?? 1) < 0 : (row.number("low") ?? -1) > 0)
      .length;
  const n = ladder.number("n")!;
  const found = { horizon, isFalling, steps: steps.length, clear, sessions: n, p };
  return [fact(TOPIC, stepsText(found), { value: clear, n, source: "monotonicity" })];
}

function noQuantiles({ plan, detail }: FactorAnalysis): Fact {
  const scored = readRows(detail.coverage.bySession).map((row) => row.number("scored") ?? 0);
  const most = Math.max(0, ...scored);
  const why = most < plan.quantiles
    ? `${
      countText(plan.quantiles, "quantile")
    } need as many scored stocks in a session, and no session has more than ${most}`
    : "no session has a return in both the top and the bottom quantile";
  return fact(TOPIC, `There are no returns by quantile: ${why}.`, {
    value: most,
    n: scored.length,
    source: "detail.coverage.bySession",
  });
}
