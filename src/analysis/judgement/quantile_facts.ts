import { countText, percentText } from "../../base/wording/number_text.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { spreadText } from "../../base/wording/sentences/quantile_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { describeSteps } from "../series/monotonicity.ts";
import { andText } from "../../base/wording/words.ts";
import { LEAST_SESSIONS } from "../inference/tested_mean.ts";
import { type Fact, fact, folded, TOPICS } from "./fact.ts";

const TOPIC = TOPICS.quantiles;

/** Returns by quantile: their steps and their spread. */
export function quantileFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { spread } = analysis;
  const [top] = spread.summary.toRecords();
  if (top === undefined || top.mean === null) {
    return [noQuantiles(analysis), ...distinctFact(analysis) ?? pileFact(analysis)];
  }
  const { mean: value, low, high, sessions: n } = top;
  const about = { horizon: top.horizon!, sessions: n!, exposure: spread.exposure };
  return [
    ...folded(stepFact(analysis)),
    fact(TOPIC, spreadText({ value, low, high }, about), {
      ...{ value, low, high, n, source: "spread.summary" },
    }),
    ...emptyFact(analysis, about.horizon),
    ...shortFact(analysis, about.horizon),
    ...distinctFact(analysis) ?? pileFact(analysis),
  ];
}

/** Quantiles with too few sessions for a statement, if others have more. */
function shortFact({ quantileReturns }: FactorAnalysis, horizon: number): readonly Fact[] {
  const rows = (quantileReturns.toRecords() as unknown as readonly QuantileRow[])
    .filter((row) => row.horizon === horizon);
  const most = rows.reduce((max, { sessions }) => Math.max(max, sessions), 0);
  const short = rows.filter(({ sessions }) => sessions < LEAST_SESSIONS && sessions < most);
  if (short.length === 0) return [];
  const each = short.map(({ quantile, sessions }, i) =>
    `${i === 0 ? "Q" : "q"}uantile ${quantile} (${countText(sessions, "session")})`
  );
  const statement = `${andText(each)} ${
    short.length === 1 ? "has" : "have"
  } a return in fewer than ${LEAST_SESSIONS} of ${
    countText(most, "session")
  }, which say nothing about a mean.`;
  return [
    fact(TOPIC, statement, { value: short[0]!.sessions, n: most, source: "quantileReturns" }),
  ];
}

interface QuantileRow {
  readonly horizon: number;
  readonly quantile: number;
  readonly sessions: number;
}

/** Scores of fewer distinct values than quantiles; `null` if there are enough. */
function distinctFact({ aligned: { dense }, plan }: FactorAnalysis): readonly Fact[] | null {
  const values = new Set<number>();
  for (const score of dense.scores) {
    if (score === score) values.add(score);
    if (values.size > plan.quantiles) return null;
  }
  const { size } = values;
  if (size < 2 || size >= plan.quantiles) return null;
  const statement = `The scores have ${countText(size, "distinct value")}, which ${
    countText(plan.quantiles, "quantile")
  } cannot separate: { quantiles: ${size} }, or groups of these values.`;
  return [fact(TOPIC, statement, { value: size, n: size, source: "aligned" })];
}

/** Stocks with one and the same score, if they are more than a quantile has. */
function pileFact({ aligned: { dense }, plan: { quantiles } }: FactorAnalysis): readonly Fact[] {
  const piles = pileShares(dense);
  const share = meanOf(piles);
  if (piles.length === 0 || share <= 1 / quantiles) return [];
  const statement = `On average ${percentText(share)} of the scored stocks of a session have the ` +
    `same score, and one of ${countText(quantiles, "quantile")} should have ${
      percentText(1 / quantiles)
    }: equal scores stay in one quantile, so that quantiles differ in size, and the IC does not rank these stocks.`;
  return [fact(TOPIC, statement, { value: share, n: piles.length, source: "aligned" })];
}

/** Share of the scored stocks of each session that have its most frequent score; 0 where no two are equal. */
function pileShares({ scores, tickers: { length: width }, from, to }: DenseScores): number[] {
  const shares: number[] = [];
  for (let d = from; d < to && scores.length > 0; d++) {
    const known = scores.slice(d * width, (d + 1) * width).filter((score) => score === score)
      .sort();
    if (known.length === 0) continue;
    let [most, run] = [1, 1];
    for (let i = 1; i < known.length; i++) {
      run = known[i] === known[i - 1] ? run + 1 : 1;
      if (run > most) most = run;
    }
    shares.push(most === 1 ? 0 : most / known.length);
  }
  return shares;
}

// A reversed factor is asked whether its returns fall.
function stepFact({ monotonicity }: FactorAnalysis): readonly Fact[] {
  const found = describeSteps(monotonicity.tables.steps.toRecords());
  if (found === null) return [];
  const { statement, clear: value, n } = found;
  return [fact(TOPIC, statement, { value, n, source: "monotonicity.tables.steps" })];
}

/** Sessions with scores and returns in which the top or the bottom quantile has none. */
function emptyFact({ spread, ic }: FactorAnalysis, horizon: number): readonly Fact[] {
  const own = <Row extends { readonly horizon: number | null }>(rows: readonly Row[]) =>
    rows.filter((row) => row.horizon === horizon);
  const priced = new Set(
    own(ic.toRecords()).filter(({ n }) => n! > 0).map(({ session }) => Number(session)),
  );
  const rows = own(spread.data.toRecords()).filter(({ session }) => priced.has(Number(session)));
  const empty = rows.filter((row) => row.spread === null).length;
  if (empty === 0) return [];
  const statement = `At ${countText(horizon, "session")}, ${groupThousands(empty)} of ` +
    `${countText(rows.length, "session")} ${empty === 1 ? "has" : "have"} no spread, because the ` +
    "top or the bottom quantile is empty: too few stocks, or too many with equal scores.";
  return [fact(TOPIC, statement, { value: empty, n: rows.length, source: "spread.data" })];
}

function noQuantiles({ plan, detail }: FactorAnalysis): Fact {
  const scored = detail.coverage.bySession.toRecords().map((row) => row.scored ?? 0);
  const most = scored.reduce((max, count) => Math.max(max, count), 0);
  const why = most < plan.quantiles
    ? `${countText(plan.quantiles, "quantile")} need as many scored stocks in a session, and no ` +
      `session has more than ${most}`
    : "no session has a return in both the top and the bottom quantile";
  return fact(TOPIC, `There are no returns by quantile: ${why}.`, {
    value: most,
    n: scored.length,
    source: "detail.coverage.bySession",
  });
}
