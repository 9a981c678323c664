import { alphaBeta } from "../series/money/alpha_beta.ts";
import { drawdowns } from "../series/money/drawdowns.ts";
import { informationSummary } from "../series/information_summary.ts";
import { performance } from "../series/money/performance.ts";
import { tradingCosts } from "../series/money/trading_costs.ts";
import type { AskContext } from "./ask_relation.ts";
import type { SessionTables } from "./session_tables.ts";
import { takeSteps } from "./take_steps.ts";

/** What a portfolio that is weighted by the scores earns, risks and costs. */
export async function askPortfolio(
  { portfolio, market }: SessionTables,
  { ledger, of, walk, oneWayBps }: AskContext & {
    readonly oneWayBps?: readonly number[] | undefined;
  },
) {
  informationSummary(portfolio, { ledger, of, value: "return", what: "mean portfolio return" });
  const [numbers, falls, costs, explained] = await takeSteps(walk, "portfolio", [
    () => performance(portfolio, { variants: Math.max(1, ledger.count) }),
    () => drawdowns(portfolio),
    () => tradingCosts(portfolio, oneWayBps === undefined ? {} : { oneWayBps }),
    () => alphaBeta(portfolio, market),
  ]);
  return { portfolio, performance: numbers, drawdowns: falls, costs, alphaBeta: explained };
}
