import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { breakEvenText, netText, tradedText } from "../../base/wording/sentences/cost_text.ts";
import { percentText } from "../../base/wording/number_text.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

const TOPIC = TOPICS.costs;
const SOURCE = "costs";
const LEAST = 20;
const RATE_BPS = 10;

/** Turnover of the portfolio, and its return after costs. */
export function costFacts(
  { costs, performance, plan, portfolio }: FactorAnalysis,
): readonly Fact[] {
  const rows = readRows(costs);
  const [free] = rows;
  const [traded, n] = [free?.number("traded") ?? null, free?.number("sessions") ?? 0];
  if (free === undefined || traded === null || n < LEAST) return [];
  const rate = {
    value: free.number("break_even_one_way_bps"),
    low: free.number("break_even_low"),
    high: free.number("break_even_high"),
  };
  const found = rate.value !== null && rate.value > 0 ? rate : {};
  return [
    ...lossFacts(readRows(performance)[0], readRows(portfolio)),
    fact(TOPIC, tradedText(traded, { weighting: plan.weighting, sessions: n }), {
      value: traded,
      n,
      source: SOURCE,
    }),
    fact(TOPIC, breakEvenText(rate, n), { ...found, n, source: SOURCE }),
    ...netFacts(
      readRows(performance)[0]?.number("annual_return") ?? null,
      rows.find((row) => row.number("one_way_bps") === RATE_BPS),
      n,
    ),
  ];
}

/** Statement that a session took all of the capital. */
function lossFacts(row: ReadRow | undefined, sessions: readonly ReadRow[]): readonly Fact[] {
  if (row?.text("reason") !== "total_loss") return [];
  const lost = sessions.find((session) => (session.number("return") ?? 0) <= -1);
  const [day, share] = [lost?.date("session") ?? "", lost?.number("return") ?? null];
  const statement =
    `The portfolio loses ${
      percentText(-share!)
    } of its capital, all that it has, from ${day} to the next session; later sessions are ignored. ` +
    "Check the prices of that session.";
  return [fact(TOPIC, statement, { value: share, n: sessions.length, source: "performance" })];
}

function netFacts(gross: number | null, row: ReadRow | undefined, n: number): readonly Fact[] {
  const value = row?.number("net_annual") ?? null;
  if (gross === null || row === undefined || value === null) return [];
  const net = { value, low: row.number("net_annual_low"), high: row.number("net_annual_high") };
  const statement = netText(gross, { oneWayBps: RATE_BPS, net, sessions: n });
  return [fact(TOPIC, statement, { ...net, n, source: SOURCE })];
}
