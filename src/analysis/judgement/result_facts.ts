import { countText, type Estimate, percentText } from "../../base/wording/number_text.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import type { DenseScores } from "../dense/dense_frames.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { spreadText } from "../../base/wording/sentences/quantile_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { describeSteps } from "../series/monotonicity.ts";
import { andText } from "../../base/wording/words.ts";
import { LEAST_SESSIONS } from "../inference/tested_mean.ts";
import { type Fact, fact, folded, type JudgementOptions, TOPICS } from "./fact.ts";
import {
  breakEvenText,
  capacityText,
  holdingText,
  limitText,
  tradedText,
} from "../../base/wording/sentences/cost_text.ts";
import { investedSessions } from "../portfolio/portfolio_returns.ts";
import { comparedStep } from "../cross_section/partition.ts";
import { usualGap } from "../dense/days.ts";
import type { Between, Rebalance } from "../portfolio/book/carry_book.ts";

const QUANTILES = TOPICS.quantiles;

/** Returns by quantile: their steps and their spread. */
export function quantileFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { spread } = analysis;
  const [top] = spread.summary.toRecords();
  if (top === undefined || top.mean === null) {
    return [noQuantiles(analysis), ...distinctFact(analysis) ?? pileFact(analysis)];
  }
  const { mean: value, low, high, sessions: n } = top;
  const about = { horizon: top.horizon!, sessions: n!, exposure: spread.exposure };
  const statement = spreadText({ value, low, high }, about);
  return [
    ...folded(stepFact(analysis)),
    fact(QUANTILES, statement, { value, low, high, n, source: "spread.summary" }),
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
  const statement = `${andText(each)} ${short.length === 1 ? "has" : "have"} a return in fewer ` +
    `than ${LEAST_SESSIONS} of ${countText(most, "session")}, which say nothing about a mean.`;
  const about = { value: short[0]!.sessions, n: most, source: "quantileReturns" };
  return [fact(QUANTILES, statement, about)];
}

type QuantileRow = Readonly<Record<"horizon" | "quantile" | "sessions", number>>;

/** Scores of fewer distinct values than quantiles; `null` if there are enough. */
function distinctFact({ aligned: { dense }, plan }: FactorAnalysis): readonly Fact[] | null {
  const values = new Set<number>();
  for (const score of dense.scores) {
    if (score === score) values.add(score);
    if (values.size > plan.quantiles) return null;
  }
  const { size } = values;
  if (size < 2 || size >= plan.quantiles) return null;
  const wanted = countText(plan.quantiles, "quantile");
  const statement =
    `The scores have ${countText(size, "distinct value")}, which ${wanted} cannot ` +
    `separate: { quantiles: ${size} }, or groups of these values.`;
  return [fact(QUANTILES, statement, { value: size, n: size, source: "aligned" })];
}

/** Stocks with one and the same score, if they are more than a quantile has. */
function pileFact({ aligned: { dense }, plan: { quantiles } }: FactorAnalysis): readonly Fact[] {
  const piles = pileShares(dense);
  const share = meanOf(piles);
  if (piles.length === 0 || share <= 1 / quantiles) return [];
  const equal = percentText(1 / quantiles);
  const wanted = `one of ${countText(quantiles, "quantile")} should have ${equal}`;
  const statement = `On average ${percentText(share)} of the scored stocks of a session have the ` +
    `same score, and ${wanted}: equal scores stay in one quantile, so that quantiles differ in size, ` +
    "and the IC does not rank these stocks.";
  return [fact(QUANTILES, statement, { value: share, n: piles.length, source: "aligned" })];
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
  return [fact(QUANTILES, statement, { value, n, source: "monotonicity.tables.steps" })];
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
  return [fact(QUANTILES, statement, { value: empty, n: rows.length, source: "spread.data" })];
}

function noQuantiles({ plan, detail }: FactorAnalysis): Fact {
  const scored = detail.coverage.bySession.toRecords().map((row) => row.scored ?? 0);
  const most = scored.reduce((max, count) => Math.max(max, count), 0);
  const why = most < plan.quantiles
    ? `${countText(plan.quantiles, "quantile")} need as many scored stocks in a session, and no ` +
      `session has more than ${most}`
    : "no session has a return in both the top and the bottom quantile";
  const about = { value: most, n: scored.length, source: "detail.coverage.bySession" };
  return fact(QUANTILES, `There are no returns by quantile: ${why}.`, about);
}

const COSTS = TOPICS.costs;
const LEAST = 20;

const BOOK_TOPIC = TOPICS.assumptions;

const IN_BETWEEN: Readonly<Record<Between, string>> = {
  drift: "its weights drift with prices in between",
  restore: "it is traded back to its weights every session",
  cash: "it is closed after one session (between: cash)",
};

const COMPARED = fact(
  BOOK_TOPIC,
  "Quantile turnover and rank autocorrelation are measured from one signal to the next.",
  { source: "turnover" },
);

/** Turnover of the portfolio, and its return after costs. */
export function costFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { costs, plan: { weighting } } = analysis;
  const [free] = costs.toRecords();
  if (free === undefined || free.traded === null || free.sessions! < LEAST) return [];
  const about = { n: free.sessions!, source: "costs" };
  const traded = tradedText(free.traded, { weighting, ...investedSessions(analysis.portfolio) });
  const said = fact(COSTS, traded, { value: free.traded, ...about });
  if (free.traded === 0) return [said];
  const { break_even_one_way_bps: value, break_even_low: low, break_even_high: high } = free;
  const found = value !== null && value > 0 ? { value, low, high } : {};
  const even = fact(COSTS, breakEvenText({ value, low, high }, about.n), { ...found, ...about });
  return [said, ...folded([even])];
}

/** Sessions with new scores, and the rebalancing of the portfolio. */
export function bookFacts(
  { portfolio, plan, rankAutocorrelation }: FactorAnalysis,
): readonly Fact[] {
  const { rebalance, between } = plan.book;
  const rows = portfolio.toRecords();
  const placesOf = (mark: "signal" | "rebalanced") =>
    [...rows.keys()].filter((place) => rows[place]![mark] === true);
  const [places, trades] = [placesOf("signal"), placesOf("rebalanced")];
  if (places.length === 0) return [];
  const traded = trades.length;
  const about = { value: traded, n: rows.length, source: "portfolio" };
  const ends = [...trades.slice(1), rows.length];
  const oldest = Math.max(0, ...trades.map((place, i) => ends[i]! - place - 1));
  if (traded === rows.length) {
    const each = `The portfolio is rebalanced in each of ${countText(traded, "session")}.`;
    return folded([fact(BOOK_TOPIC, each, about)]);
  }
  const gap = usualGap(places);
  const usual = gap === null || gap === 1 ? "" : `, usually every ${ordinal(gap)}`;
  const came = `${groupThousands(places.length)} of ${countText(rows.length, "session")} ` +
    `${places.length === 1 ? "has" : "have"} new scores${usual}.`;
  const held = `The portfolio is rebalanced ${ruleText(rebalance, traded)}, and ` +
    `${IN_BETWEEN[between]}; its scores are at most ${countText(oldest, "session")} old.`;
  return [
    fact(BOOK_TOPIC, came, { ...about, value: places.length }),
    fact(BOOK_TOPIC, held, about),
    ...comparedStep(rankAutocorrelation) === "session" ? [] : [COMPARED],
  ];
}

function ruleText(rebalance: Rebalance, traded: number): string {
  const times = traded === 1 ? "once" : countText(traded, "time");
  if (rebalance === "signal") return `on new scores (${times})`;
  const when = rebalance === "weekly"
    ? "of each week"
    : rebalance === "monthly"
    ? "of each month"
    : typeof rebalance === "number"
    ? `of every ${countText(rebalance, "session")}`
    : `on or after each of ${countText(rebalance.length, "date")}`;
  return `on the first new scores ${when} (${times})`;
}

function ordinal(n: number): string {
  const [one, ten] = [n % 10, n % 100];
  const isTeen = ten >= 11 && ten <= 13;
  const ending = isTeen ? "th" : one === 1 ? "st" : one === 2 ? "nd" : one === 3 ? "rd" : "th";
  return `${n}${ending} session`;
}

/** Range of the mean IC over all specifications, and their joint test. */
export function curveFacts(curve: NonNullable<JudgementOptions["curve"]> | null): readonly Fact[] {
  const [row] = curve?.tables.summary.toRecords() ?? [];
  if (curve === null || row === undefined) return [];
  const { smallest: low, largest: high, median: value, specifications: n } = row;
  const about = { value, low, high, n };
  return [fact(TOPICS.trials, curve.text, { ...about, source: "curve.tables.summary" })];
}

/** Rows of a release beside those that were known at the time, and by how much its IC differs. */
export function reconciledFacts(
  reconciled: NonNullable<JudgementOptions["reconciled"]> | null,
): readonly Fact[] {
  if (reconciled === null) return [];
  const [rows = "", ...ics] = reconciled.sentences;
  const equal = reconciled.table.toRecords().find(({ change }) => change === "equal");
  const compared = reconciled.tables.ics?.toRecords() ?? [];
  const { height: n } = reconciled.tables.rows;
  const statement = `The release is compared with the scores known at the time. ${rows}`;
  const about = { value: equal?.share ?? null, n, source: "reconciled.table" };
  return [
    fact(TOPICS.robustness, statement, about),
    ...compared.map(({ mean: value, low, high, sessions }, i) => {
      const about = { value, low, high, n: sessions, source: "reconciled.tables.ics" };
      return fact(TOPICS.robustness, ics[i]!, about);
    }),
  ];
}

/** The capital at which nothing is left, and the share of the sessions in which the largest capital can trade. */
export function capacityFacts(table: JudgementOptions["capacity"] | null): readonly Fact[] {
  const rows = table?.sort("capital").toRecords() ?? [];
  const [first, largest] = [rows[0], rows.at(-1)];
  if (first === undefined || largest === undefined) return [];
  const { break_even_capital: value, break_even_low: low, break_even_high: high } = first;
  const { within_limit: share, sessions: n } = largest;
  const about = { n, source: "capacity" };
  const even = { value, low, high };
  const say = (statement: string, found: Partial<Estimate>) =>
    fact(TOPICS.costs, statement, { ...found, ...about });
  return [
    ...value === null ? [] : [say(capacityText(even, n ?? 0), even)],
    ...share === null ? [] : [say(limitText(largest.capital!, share), { value: share })],
  ];
}

/** The holding period with the highest net return, as the choice that it is. */
export function holdingFacts(table: JudgementOptions["holdingPeriods"] | null): readonly Fact[] {
  const rows = table?.toRecords().filter(({ net }) => net !== null) ?? [];
  if (rows.length === 0) return [];
  const best = rows.reduce((a, b) => b.net! > a.net! ? b : a);
  const n = best.sessions ?? 0;
  const net = { value: best.net, low: best.net_low, high: best.net_high };
  const { holding, one_way_bps: oneWayBps, p_adjusted: p } = best;
  const of = { holding: holding!, oneWayBps: oneWayBps!, p, compared: rows.length };
  const statement = holdingText({ ...of, net, n });
  return [fact(TOPICS.costs, statement, { ...net, n, source: "holdingPeriods" })];
}
