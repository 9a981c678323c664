import { countText } from "../../base/wording/number_text.ts";
import { breakEvenText, tradedText } from "../../base/wording/sentences/cost_text.ts";
import { type BOOK_COLUMNS, investedSessions } from "../portfolio/portfolio_returns.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, folded, TOPICS } from "./fact.ts";
import type { TableRow } from "../../frames/frame/typed/table_frame.ts";
import { comparedStep } from "../cross_section/earlier_sessions.ts";
import { usualGap } from "../dense/days.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import type { Between, Rebalance } from "../portfolio/book/carry_book.ts";

const TOPIC = TOPICS.costs;
const SOURCE = "costs";
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
  const rows = costs.toRecords();
  const [free] = rows;
  if (free === undefined || free.traded === null || free.sessions! < LEAST) return [];
  const { traded, sessions } = free;
  const n = sessions!;
  const statement = tradedText(traded, { weighting, ...investedSessions(analysis.portfolio) });
  const about = { n, source: SOURCE };
  const said = fact(TOPIC, statement, { value: traded, ...about });
  if (traded === 0) return [said];
  const rate = {
    value: free.break_even_one_way_bps,
    low: free.break_even_low,
    high: free.break_even_high,
  };
  const found = rate.value !== null && rate.value > 0 ? rate : {};
  return [
    said,
    ...folded([fact(TOPIC, breakEvenText(rate, n), { ...found, ...about })]),
  ];
}

/** Sessions with new scores, and the rebalancing of the portfolio. */
export function bookFacts(
  { portfolio, plan, rankAutocorrelation }: FactorAnalysis,
): readonly Fact[] {
  const { rebalance, between } = plan.book;
  const rows = portfolio.toRecords();
  const places = markedPlaces(rows, "signal");
  if (places.length === 0) return [];
  const trades = markedPlaces(rows, "rebalanced");
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

function markedPlaces(
  rows: readonly TableRow<typeof BOOK_COLUMNS>[],
  mark: "signal" | "rebalanced",
): readonly number[] {
  return [...rows.keys()].filter((place) => rows[place]![mark] === true);
}

function ruleText(rebalance: Rebalance, traded: number): string {
  const times = traded === 1 ? "once" : countText(traded, "time");
  if (rebalance === "signal") return `on new scores (${times})`;
  if (typeof rebalance === "number") {
    return `on the first new scores of every ${countText(rebalance, "session")} (${times})`;
  }
  if (rebalance === "weekly" || rebalance === "monthly") {
    return `on the first new scores of each ${rebalance === "weekly" ? "week" : "month"} ` +
      `(${times})`;
  }
  return `on the first new scores on or after each of ${countText(rebalance.length, "date")} ` +
    `(${times})`;
}

function ordinal(n: number): string {
  const [one, ten] = [n % 10, n % 100];
  const isTeen = ten >= 11 && ten <= 13;
  const ending = isTeen ? "th" : one === 1 ? "st" : one === 2 ? "nd" : one === 3 ? "rd" : "th";
  return `${n}${ending} session`;
}
