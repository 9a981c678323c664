import type { FactorAnalysis } from "../analysis/factor/factor_analysis.ts";

/** What was done, in a paragraph that a paper can take over. */
export function methodsText({ aligned, plan, origin, detail, ledger }: FactorAnalysis): string {
  const entry = aligned.entry === "next"
    ? "A score trades at the first close after it was known"
    : "A score trades at the close of its decision session";
  const noise = plan.noise === null || detail.noise === null
    ? "No noise control was made."
    : `As a control the scores of all names were moved together by ${detail.noise.shifts.length} seeded numbers of ` +
      "sessions, in a circle, and all means computed again.";
  return [
    `Scores: ${origin.what}, column ${origin.score}.`,
    `${entry}; returns run over ${
      plan.periods.join(", ")
    } sessions from there, from closes taken as adjusted.`,
    "A name that ends counts to its last close. Every row that is left out is counted with its reason; no horizon costs another one its rows.",
    "The information coefficient of a session is the Spearman correlation of scores and returns among the names that have both, at least 10 of them.",
    "Means are tested by equal-weighted cosines (Lazarus, Lewis, Stock and Watson, 2018) with the overlap of windows counted; with fewer than 20 values or 10 windows no test is stated.",
    `Buckets: ${plan.quantiles}, equal scores together. Returns of buckets are means by session, then over sessions.`,
    "The portfolio is weighted by the demeaned scores at gross exposure 1 and has returns of one session; costs are a rate times what was traded, both sides.",
    `The half-life is fitted to lags ${Math.min(...plan.lags)} to ${
      Math.max(...plan.lags)
    } of one-session returns. Years, halves and groups are compared by a joint test of equal means.`,
    noise,
    `${ledger.count} tests were made, p values in the ledger are adjusted by Holm's way.`,
  ].join(" ");
}
