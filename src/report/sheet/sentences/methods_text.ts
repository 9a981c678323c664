import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { investedSessions } from "../../../analysis/portfolio/portfolio_returns.ts";
import { adjustmentText } from "../../../analysis/aligned/prices/price_notes.ts";
import { rebalancedText } from "../../chart/factor/cumulative_return_chart.ts";
import { andText } from "../../../base/wording/words.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { periodText } from "../../../base/wording/period_text.ts";
import { entrySentence } from "../../../base/wording/sentences/timing_text.ts";
import { exposureText, weightedText } from "../../../base/wording/sentences/weighting_text.ts";

/** Methods paragraph of an analysis, as in a paper: what was done, and nothing else. */
export function methodsText(analysis: FactorAnalysis): string {
  const { aligned, plan, origin, trialLog } = analysis;
  const isEnded = aligned.loss.table.toRecords().some(({ reason }) => reason === "ended");
  const tested = trialLog.variants().filter(({ p }) => p !== null).length;
  const withP = tested === trialLog.count ? "all" : tested === 0 ? "none" : tested;
  const closes = adjustmentText(aligned.market);
  const quantiles = countText(plan.quantiles, "quantile");
  const sentences = [
    entrySentence(aligned.timing),
    `Returns run from there over ${horizonsText(plan.periods)}, from closes that are ${closes}.`,
    ...isEnded ? ["A return that runs beyond a stock's last close ends there."] : [],
    "Every row that is left out is counted by reason; a row without a return at one horizon still counts at the others.",
    `The information coefficient (IC) of a session is the Spearman rank correlation of scores and returns over the stocks that have both, of which at least ${plan.minNames} are required.`,
    "Means are tested with the equal-weighted cosine estimator of the long-run variance (Lazarus, Lewis, Stock and Watson, 2018), which allows for overlapping windows; a test requires 20 values and 10 non-overlapping windows.",
    `Stocks are sorted into ${quantiles} each session, with tied scores in the same quantile; quantile returns are averaged over stocks and then over sessions.`,
    portfolioSentence(analysis),
    ...decaySentence(analysis),
    ...permutationSentence(analysis),
    `${countText(trialLog.count, "test")} ${trialLog.count === 1 ? "was" : "were"} run, ${withP} ` +
    `with a p value${tested === 0 ? "" : ", adjusted by Holm's method (1979)"}.`,
  ].join(" ");
  return `The scores are ${origin.what} (column ${origin.score}). ` +
    periodText(sentences, aligned.market.unit);
}

function portfolioSentence(analysis: FactorAnalysis): string {
  const { portfolio, plan } = analysis;
  const weighted = `The portfolio is ${weightedText(plan.weighting)}`;
  const invested = investedSessions(portfolio);
  if (invested.held === 0) {
    return `${weighted}, and holds nothing.`;
  }
  return `${weighted}, has a gross exposure of ${exposureText(invested)} and is ${
    rebalancedText(analysis)
  }; costs are a rate times the value traded on both sides, including the first purchase and trades that undo drift.`;
}

function decaySentence({ halfLife, decayMeans }: FactorAnalysis): readonly string[] {
  const lags = decayMeans.toRecords().filter(({ mean }) => mean !== null)
    .map(({ group }) => Number(group));
  if (lags.length === 0 || halfLife.toRecords()[0]?.reason === "too_few_windows") return [];
  return [`The half-life is fitted to one-session returns at lags ${lags[0]} to ${lags.at(-1)}.`];
}

function permutationSentence({ permutation }: FactorAnalysis): readonly string[] {
  const [row] = permutation?.toRecords() ?? [];
  if (row === undefined || row.p === null) return [];
  const [and, minus] = row.within === "group"
    ? [" and groups", ", minus the mean of its group"]
    : ["", ""];
  return [
    `The permutation test permutes residual returns within sessions${and}, and compares their mean rank IC with its exact mean and ` +
    "variance over all permutations (Strasser and Weber, 1999). A residual return is the return minus beta times the market " +
    `return${minus}.`,
  ];
}

function horizonsText(periods: readonly number[]): string {
  const last = countText(periods.at(-1)!, "session");
  return andText([...periods.slice(0, -1).map(String), last]);
}
