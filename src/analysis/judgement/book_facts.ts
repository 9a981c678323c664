import type { TableRow } from "../../frames/frame/typed/table_frame.ts";
import type { BOOK_COLUMNS } from "../portfolio/portfolio_returns.ts";
import { comparedStep } from "../cross_section/earlier_sessions.ts";
import { usualGap } from "../dense/usual_gap.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { countText } from "../../base/wording/number_text.ts";
import type { Between, Rebalance } from "../portfolio/book/book_rules.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";

const TOPIC = TOPICS.assumptions;
const SOURCE = "portfolio";

const IN_BETWEEN: Readonly<Record<Between, string>> = {
  drift: "its weights drift with prices in between",
  restore: "it is traded back to its weights every session",
  cash: "it is closed after one session (between: cash)",
};

/** Sessions with new scores, and the rebalancing of the portfolio. */
export function bookFacts(
  { portfolio, plan, rankAutocorrelation }: FactorAnalysis,
): readonly Fact[] {
  const { rebalance, between } = plan.book;
  const rows = portfolio.toRecords();
  const places = placesOf(rows, "signal");
  if (places.length === 0) return [];
  const trades = placesOf(rows, "rebalanced");
  const traded = trades.length;
  const about = { value: traded, n: rows.length, source: SOURCE };
  const ends = [...trades.slice(1), rows.length];
  const oldest = Math.max(0, ...trades.map((place, i) => ends[i]! - place - 1));
  if (traded === rows.length) {
    const each = `The portfolio is rebalanced in each of ${countText(traded, "session")}.`;
    return [fact(TOPIC, each, about)];
  }
  const gap = usualGap(places);
  const usual = gap === null || gap === 1 ? "" : `, usually every ${ordinal(gap)}`;
  const came = `${groupThousands(places.length)} of ${countText(rows.length, "session")} ` +
    `${places.length === 1 ? "has" : "have"} new scores${usual}.`;
  const held = `The portfolio is rebalanced ${ruleText(rebalance, traded)}, and ` +
    `${IN_BETWEEN[between]}; its scores are at most ${countText(oldest, "session")} old.`;
  return [
    fact(TOPIC, came, { ...about, value: places.length }),
    fact(TOPIC, held, about),
    ...comparedFacts(rankAutocorrelation),
  ];
}

function comparedFacts(autocorrelation: FactorAnalysis["rankAutocorrelation"]): readonly Fact[] {
  if (comparedStep(autocorrelation) === "session") return [];
  const statement =
    "Quantile turnover and rank autocorrelation are measured from one signal to the next.";
  return [fact(TOPIC, statement, { n: autocorrelation.height, source: "turnover" })];
}

function placesOf(
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
