import { quantileMeans, tableQuantileSeries } from "../cross_section/buckets/quantile_returns.ts";
import { tableSpread } from "../cross_section/buckets/quantile_spread.ts";
import { informationSummary } from "../series/information_summary.ts";
import { monotonicity } from "../series/monotonicity.ts";
import type { AskContext } from "./ask_relation.ts";
import type { SessionTables } from "./session_tables.ts";
import { takeSteps } from "./take_steps.ts";

/** Who carries the relation, and how long names stay where they are. */
export async function askBuckets(
  { sessions, quantiles, spread: spreads, turnover, rankAutocorrelation }: SessionTables,
  { plan, ledger, of, walk }: AskContext,
) {
  const { periods, quantiles: count } = plan;
  const [spread, series, quantileReturns] = await takeSteps(walk, "buckets", [
    () => tableSpread(spreads, { periods, sessions, count }),
    () => tableQuantileSeries(quantiles, { periods, sessions, count }),
    () => quantileMeans(quantiles, { periods, sessions, count }),
  ]);
  const [ladder] = await takeSteps(walk, "buckets", [
    () => monotonicity(series),
    () => informationSummary(spread.series, { ledger, of, what: "mean spread" }),
  ]);
  return { quantileReturns, spread, monotonicity: ladder, turnover, rankAutocorrelation };
}
