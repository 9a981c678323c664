import pl from "nodejs-polars";
import type { Aligned } from "../aligned/aligned.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import { portfolioReturns } from "../portfolio/factor_returns.ts";
import { universeReturns } from "../portfolio/universe_returns.ts";
import { alphaBeta } from "../series/alpha_beta.ts";
import { drawdowns } from "../series/drawdowns.ts";
import { informationSummary } from "../series/information_summary.ts";
import { performance } from "../series/performance.ts";
import { tradingCosts } from "../series/trading_costs.ts";
import { dayColumn, numberColumn } from "../table/make_columns.ts";
import type { AskContext } from "./ask_relation.ts";
import { takeSteps } from "./take_steps.ts";

/** What a portfolio that is weighted by the scores earns, risks and costs. */
export async function askPortfolio(
  aligned: Aligned,
  { ledger, walk, oneWayBps }: AskContext & { readonly oneWayBps?: readonly number[] | undefined },
) {
  const { dense } = aligned;
  const [weights, market] = await takeSteps(walk, "portfolio", [
    () => factorWeights(aligned),
    () =>
      pl.DataFrame([
        dayColumn("session", dense.days.slice(dense.from, dense.to)),
        numberColumn("return", universeReturns(dense, 1)),
      ]),
  ]);
  const [portfolio] = await takeSteps(walk, "portfolio", [
    () => portfolioReturns(aligned, weights),
  ]);
  informationSummary(portfolio, { ledger, value: "return", what: "mean portfolio return" });
  const [numbers, falls, costs, explained] = await takeSteps(walk, "portfolio", [
    () => performance(portfolio, { variants: Math.max(1, ledger.count) }),
    () => drawdowns(portfolio),
    () => tradingCosts(portfolio, oneWayBps === undefined ? {} : { oneWayBps }),
    () => alphaBeta(portfolio, market),
  ]);
  return { portfolio, performance: numbers, drawdowns: falls, costs, alphaBeta: explained };
}
