import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { countText } from "../inference/number_text.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";

const TOPIC = "What was left out";
const SOURCE = "aligned.loss.table";

const BEFORE_RETURNS: Readonly<Record<string, string>> = {
  refused_status: "have a status that was not asked for",
  not_a_session: "bear a date that is no session of the prices",
  superseded: "were superseded before they could be used",
  expired: "were too old",
  no_score: "have no score",
};

/** What was left out, and what was assumed. */
export function lossFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { loss } = analysis.aligned;
  const rows = readRows(loss.table);
  const share = (count: number) => `${(100 * count / loss.rows).toFixed(1)} %`;
  const always = rows.filter((row) =>
    row.number("horizon") === null && row.text("reason")! in BEFORE_RETURNS
  )
    .map((row) => {
      const count = row.number("rows")!;
      const statement = `${whole(count)} ${
        inNumber(count, BEFORE_RETURNS[row.text("reason")!]!)
      } (${share(count)}).`;
      return fact(TOPIC, statement, { value: count, n: loss.rows, source: SOURCE });
    });
  return [
    fact(TOPIC, `${countText(loss.rows, "row")}.`, {
      value: loss.rows,
      n: loss.rows,
      source: SOURCE,
    }),
    ...always,
    ...analysis.aligned.periods.flatMap((horizon) => ofHorizon(rows, horizon, analysis)),
    ...(loss.neverPriced === 0 ? [] : [neverPriced(loss.neverPriced, loss.rows)]),
    ...missingWeight(analysis),
  ];
}

/** How entries, prices and groups are taken. */
export function assumptionFacts({ aligned }: FactorAnalysis): readonly Fact[] {
  const topic = "Assumed";
  const entry = aligned.entry === "next"
    ? "Entered at the first close after a score was known; a row with a date is known when that session closes."
    : "Entered at the very close of the decision session (entry: same).";
  const groups = aligned.dense.groups?.areUndated === true ? ["Groups are as of today."] : [];
  return [entry, "Closes are taken as adjusted.", ...groups]
    .map((statement) => fact(topic, statement, { source: "aligned" }));
}

function ofHorizon(
  rows: readonly ReadRow[],
  horizon: number,
  { aligned }: FactorAnalysis,
): readonly Fact[] {
  const count = (reason: string) =>
    rows.find((row) => row.number("horizon") === horizon && row.text("reason") === reason)
      ?.number("rows") ?? 0;
  const later = count("beyond_prices");
  const none = count("no_entry_price") + count("no_exit_price");
  const ended = count("ended");
  const at = `At ${countText(horizon, "session")}`;
  const about = { n: aligned.loss.rows, source: SOURCE };
  return [
    ...(later === 0 ? [] : [fact(
      TOPIC,
      `${at} ${whole(later)} ${inNumber(later, "need")} prices after ${aligned.sessions.at(-1)}.`,
      { value: later, ...about },
    )]),
    ...(none === 0 ? [] : [
      fact(TOPIC, `${at} ${whole(none)} ${inNumber(none, "have")} no price at entry or exit.`, {
        value: none,
        ...about,
      }),
    ]),
    ...(ended === 0 ? [] : [fact(
      TOPIC,
      `${at} ${whole(ended)} ${inNumber(ended, "windows end")} with a name's last close and ${
        ended === 1 ? "is" : "are"
      } counted to there.`,
      { value: ended, ...about },
    )]),
  ];
}

function neverPriced(tickers: number, rows: number): Fact {
  const statement = `${countText(tickers, "ticker")} of the scores ${
    tickers === 1 ? "is" : "are"
  } never priced.`;
  return fact(TOPIC, statement, { value: tickers, n: rows, source: "aligned.loss" });
}

// A portfolio whose names have no return says little of what it would have earned.
function missingWeight({ portfolio }: FactorAnalysis): readonly Fact[] {
  const mean = portfolio.getColumn("missing_weight").mean();
  if (portfolio.height === 0 || !(mean > 0.05)) return [];
  const statement = `${
    (100 * mean).toFixed(1)
  } % of the portfolio's weight has no return of a session.`;
  return [fact(TOPIC, statement, { value: mean, n: portfolio.height, source: "portfolio" })];
}

const SINGULAR: Readonly<Record<string, string>> = {
  have: "has",
  bear: "bears",
  were: "was",
  need: "needs",
  "windows end": "window ends",
};

// "1 has no score": the verb stands first.
function inNumber(count: number, words: string): string {
  if (count !== 1) return words;
  const verb = Object.keys(SINGULAR).find((plural) => words.startsWith(plural));
  return verb === undefined ? words : SINGULAR[verb] + words.slice(verb.length);
}

function whole(count: number): string {
  return count.toLocaleString("en-US");
}
