import type { Aligned } from "../aligned/aligned.ts";
import { meanReturnByQuantile, quantileSeries } from "../cross_section/quantile_returns.ts";
import { quantileSpread } from "../cross_section/quantile_spread.ts";
import { quantileTurnover } from "../cross_section/quantile_turnover.ts";
import { quantize } from "../cross_section/quantize.ts";
import { rankAutocorrelation } from "../cross_section/rank_autocorrelation.ts";
import { informationSummary } from "../series/information_summary.ts";
import { monotonicity } from "../series/monotonicity.ts";
import type { AskContext } from "./ask_relation.ts";
import { takeSteps } from "./take_steps.ts";

/** Who carries the relation, and how long names stay where they are. */
export async function askBuckets(aligned: Aligned, { plan, ledger, walk }: AskContext) {
  const { quantiles } = plan;
  const [quantized] = await takeSteps(walk, "buckets", [() => quantize(aligned, { quantiles })]);
  const [spread, series, quantileReturns, turnover, autocorrelation] = await takeSteps(
    walk,
    "buckets",
    [
      () => quantileSpread(quantized),
      () =>
        aligned.periods.flatMap((horizon) =>
          quantileSeries(quantized, horizon).map((one, place) => ({
            ...one,
            group: String(place + 1),
          }))
        ),
      () => meanReturnByQuantile(quantized),
      () => quantileTurnover(quantized),
      () => rankAutocorrelation(aligned),
    ],
  );
  const [ladder] = await takeSteps(walk, "buckets", [
    () => monotonicity(series),
    () => informationSummary(spread.series, { ledger, what: "mean spread" }),
  ]);
  return {
    quantized,
    quantileReturns,
    spread,
    monotonicity: ladder,
    turnover,
    rankAutocorrelation: autocorrelation,
  };
}
