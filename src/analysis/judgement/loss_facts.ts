import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import { lossText } from "../../base/wording/sentences/loss_text.ts";
import { countText, percentText } from "../../base/wording/number_text.ts";
import { marketSentences, noteSentences } from "../aligned/prices/price_sentences.ts";
import { type Fact, fact } from "./fact.ts";
import { type ReadRow, readRows } from "./read_row.ts";
import { TOPICS } from "./topics.ts";

const TOPIC = TOPICS.sample;
const SOURCE = "aligned.loss.table";
// Their rows have no return at any horizon.
const BEFORE_RETURNS = [
  ...["refused_status", "excluded", "not_a_session", "superseded", "expired", "no_score"],
];

/** Rows of the scores that were left out, by reason. */
export function lossFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { loss } = analysis.aligned;
  const rows = readRows(loss.table);
  const always = rows.filter((row) =>
    row.number("horizon") === null && BEFORE_RETURNS.includes(row.text("reason")!)
  )
    .map((row) => {
      const count = row.number("rows")!;
      const statement = `${lossText(row.text("reason")!, count)} (${
        percentText(count / loss.rows)
      }).`;
      return fact(TOPIC, statement, { value: count, n: loss.rows, source: SOURCE });
    });
  return [
    fact(TOPIC, `${countText(loss.rows, "score row")}.`, {
      value: loss.rows,
      n: loss.rows,
      source: SOURCE,
    }),
    ...always,
    ...analysis.aligned.periods.flatMap((horizon) => [
      ...ofHorizon(rows, horizon, analysis),
      ...thinSessions(horizon, analysis),
    ]),
    ...(loss.neverPriced === 0 ? [] : [neverPriced(loss.neverPriced, loss.rows)]),
    ...missingWeight(analysis),
    ...heldOut(analysis),
  ];
}

/** Entries, prices and groups as they are assumed. */
export function assumptionFacts({ aligned, origin }: FactorAnalysis): readonly Fact[] {
  const topic = TOPICS.assumptions;
  const entry = aligned.entry === "next"
    ? "Positions are entered at the first close after a score is known; a score dated by day is known at the close of that session."
    : "Positions are entered at the close of the decision session itself (entry: same).";
  const { market, dense: { days }, loss } = aligned;
  const groups = aligned.dense.groups?.areUndated === true
    ? ["Groups are today's classification and not point in time."]
    : [];
  const untraced = origin.isUntraced === true
    ? [
      "The scores have neither snapshot_id nor download_sha256 and are assumed to be of one vintage: live sets, or one release.",
    ]
    : [];
  const neutral = origin.removed === undefined ? [] : [origin.removed];
  const notes = noteSentences(loss.priceNotes).map(({ text, count }) =>
    fact(topic, text, { value: count, source: "aligned.loss.priceNotes" })
  );
  const say = (statement: string) => fact(topic, statement, { source: "aligned" });
  return [
    ...[
      ...neutral,
      entry,
      ...marketSentences(market, days),
      "Closes are assumed to be adjusted for splits and dividends.",
    ].map(say),
    ...notes,
    ...[...groups, ...untraced].map(say),
  ];
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
  const told: readonly (readonly [number, string])[] = [
    [
      later,
      `${groupThousands(later)} ${later === 1 ? "needs" : "need"} prices after ${
        aligned.sessions.at(-1)
      }`,
    ],
    [none, `${groupThousands(none)} ${none === 1 ? "has" : "have"} no price at entry or exit`],
    ...["no_group", "ended"].map((reason) =>
      [count(reason), lossText(reason, count(reason))] as const
    ),
  ];
  return told.filter(([rows]) => rows > 0).map(([value, words]) =>
    fact(TOPIC, `At ${countText(horizon, "session")}, ${words}.`, {
      value,
      n: aligned.loss.rows,
      source: SOURCE,
    })
  );
}

// A session without any return is one that the prices do not reach, which is told by its rows.
function thinSessions(horizon: number, { ic, plan }: FactorAnalysis): readonly Fact[] {
  const own = readRows(ic).filter((row) => row.number("horizon") === horizon);
  const thin =
    own.filter((row) => row.text("reason") === "too_few_names" && (row.number("n") ?? 0) > 0)
      .length;
  if (thin === 0) return [];
  const statement = `At ${countText(horizon, "session")}, ${countText(thin, "session")} ${
    thin === 1 ? "has" : "have"
  } no IC, because fewer than ${countText(plan.minNames, "stock")} have both a score and a return.`;
  return [fact(TOPIC, statement, { value: thin, n: own.length, source: "ic" })];
}

function neverPriced(tickers: number, rows: number): Fact {
  const statement = `${countText(tickers, "ticker")} of the scores ${
    tickers === 1 ? "has" : "have"
  } no price in any session.`;
  return fact(TOPIC, statement, { value: tickers, n: rows, source: "aligned.loss" });
}

// Sessions that were not seen, and how often they were.
function heldOut({ origin }: FactorAnalysis): readonly Fact[] {
  if (origin.heldOut === undefined) return [];
  const { sessions } = origin.heldOut;
  return [fact(TOPIC, heldOutText(origin.heldOut), { value: sessions, source: "origin.heldOut" })];
}

// A portfolio whose stocks have no return says little of what it would have earned.
function missingWeight({ portfolio }: FactorAnalysis): readonly Fact[] {
  const mean = portfolio.getColumn("missing_weight").mean();
  if (portfolio.height === 0 || !(mean > 0.05)) return [];
  const net = meanOf(readRows(portfolio).map((row) => Math.abs(row.number("net_weight") ?? 0)));
  const tilt = net < 0.01
    ? ""
    : `; the rest is not dollar-neutral: long and short positions differ by ${
      percentText(net)
    } of capital on average`;
  const statement = `On average, ${
    percentText(mean)
  } of the portfolio's weight has no return${tilt}.`;
  return [fact(TOPIC, statement, { value: mean, n: portfolio.height, source: "portfolio" })];
}
