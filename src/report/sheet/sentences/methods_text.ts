import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { rebalancedText } from "../../chart/factor/rebalanced_text.ts";
import { andText } from "../../../base/wording/and_text.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { weightedText } from "../../../base/wording/sentences/weighting_text.ts";

const PERMUTATION =
  "The permutation test permutes residual returns within sessions and groups, and compares their mean rank IC with its exact mean and " +
  "variance over all permutations (Strasser and Weber, 1999). A residual return is the return minus beta times the market return, " +
  "minus the mean of its group.";

/** Methods paragraph of an analysis, as in a paper. */
export function methodsText(analysis: FactorAnalysis): string {
  const { aligned, plan, origin, trialLog, permutation } = analysis;
  const entry = aligned.entry === "next"
    ? "first close after a score is known"
    : "close of the decision session";
  const lags = `${Math.min(...plan.lags)} to ${Math.max(...plan.lags)}`;
  const sentences = [
    `The scores are ${origin.what} (column ${origin.score}).`,
    `Positions are entered at the ${entry}; returns run from there over ${
      horizonsText(plan.periods)
    }, from closes that are assumed to be adjusted for splits and dividends.`,
    "The return of a delisted stock ends at its last close. Every row that is left out is counted by reason; a row without a return at one horizon still counts at the others.",
    `The information coefficient (IC) of a session is the Spearman rank correlation of scores and returns over the stocks that have both, of which at least ${plan.minNames} are required.`,
    "Means are tested with the equal-weighted cosine estimator of the long-run variance (Lazarus, Lewis, Stock and Watson, 2018), which allows for overlapping windows; a test requires 20 values and 10 non-overlapping windows.",
    `Stocks are sorted into ${
      countText(plan.quantiles, "quantile")
    } each session, with tied scores in the same quantile; quantile returns are averaged over stocks and then over sessions.`,
    `The portfolio is ${weightedText(plan.weighting)}, has a gross exposure of 100% and is ${
      rebalancedText(analysis)
    }; costs are a rate times the value traded on both sides, including trades that undo drift.`,
    `The half-life is fitted to one-session returns at lags ${lags}. The means of years, halves and groups are compared by a joint test of equal means.`,
    ...(permutation === null ? [] : [PERMUTATION]),
    placeboText(analysis),
    `${countText(trialLog.count, "test")} ${
      trialLog.count === 1 ? "was" : "were"
    } run; p values in the trial log are adjusted by Holm's method (1979).`,
  ].join(" ");
  return periodText(sentences, aligned.market.unit);
}

function horizonsText(periods: readonly number[]): string {
  const last = countText(periods.at(-1)!, "session");
  return andText([...periods.slice(0, -1).map(String), last]);
}

function placeboText({ plan, detail }: FactorAnalysis): string {
  if (plan.placebo === null || detail.placebo === null) return "There is no placebo.";
  if (detail.placebo.means.size === 0) {
    return "The placebo of scores shifted in time is withheld, because their ranks persist beyond the smallest shift.";
  }
  return `As a placebo, the scores of all stocks are shifted in time together, circularly, by each of ${
    countText(detail.placebo.shifts.length, "seeded random number")
  } of sessions, and the mean ICs are recomputed for each shift.`;
}
