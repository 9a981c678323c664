import { percentText } from "../../base/wording/number_text.ts";
import { breakEvenText, netText, tradedText } from "../../base/wording/sentences/cost_text.ts";
import { investedSessions } from "../portfolio/portfolio_returns.ts";
import { USUAL_RATE } from "../series/costs/read_rates.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";

const TOPIC = TOPICS.costs;
const SOURCE = "costs";
const LEAST = 20;

/** Turnover of the portfolio, and its return after costs. */
export function costFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { costs, performance, plan: { weighting } } = analysis;
  const rows = costs.toRecords();
  const [free] = rows;
  if (free === undefined || free.traded === null || free.sessions! < LEAST) return [];
  const { traded, sessions } = free;
  const n = sessions!;
  const statement = tradedText(traded, { weighting, ...investedSessions(analysis.portfolio) });
  const about = { n, source: SOURCE };
  const said = fact(TOPIC, statement, { value: traded, ...about });
  if (traded === 0) return [said];
  const rate = {
    value: free.break_even_one_way_bps,
    low: free.break_even_low,
    high: free.break_even_high,
  };
  const found = rate.value !== null && rate.value > 0 ? rate : {};
  const gross = performance.toRecords()[0]?.annual_return ?? null;
  const at = rows.find((row) => row.one_way_bps === USUAL_RATE);
  return [
    ...lossFacts(analysis),
    said,
    fact(TOPIC, breakEvenText(rate, n), { ...found, ...about }),
    ...gross === null || at === undefined || at.net_annual === null ? [] : [netFact(gross, {
      ...{ value: at.net_annual, low: at.net_annual_low, high: at.net_annual_high, ...about },
    })],
  ];
}

/** Statement that a session took all of the capital. */
function lossFacts({ performance, portfolio }: FactorAnalysis): readonly Fact[] {
  if (performance.toRecords()[0]?.reason !== "total_loss") return [];
  const rows = portfolio.toRecords();
  const lost = rows.find((row) => (row.return ?? 0) <= -1);
  const [day, share] = [lost?.session?.toISOString().slice(0, 10) ?? "", lost?.return ?? null];
  const statement =
    `The portfolio loses ${percentText(-share!)} of its capital, all that it has, from ${day} to ` +
    "the next session; later sessions are ignored. Check the prices of that session.";
  return [fact(TOPIC, statement, { value: share, n: rows.length, source: "performance" })];
}

function netFact(
  gross: number,
  net: Pick<Fact, "low" | "high" | "source"> & { readonly value: number; readonly n: number },
): Fact {
  return fact(TOPIC, netText(gross, { oneWayBps: USUAL_RATE, net, sessions: net.n }), net);
}
