import { groupThousands } from "../../base/wording/group_thousands.ts";
import { countText, decimalText, percentText } from "../../base/wording/number_text.ts";
import { entrySentence } from "../../base/wording/sentences/timing_text.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import { becauseText, lossText } from "../../base/wording/sentences/reason_text.ts";
import type { LOSS_COLUMNS } from "../aligned/loss_report.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import {
  adjustmentText,
  gapSentence,
  marketSentences,
  noteSentences,
} from "../aligned/prices/price_notes.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, TOPICS } from "./fact.ts";
import type { RecordOf } from "../table/columns.ts";

const TOPIC = TOPICS.sample;
const SOURCE = "aligned.loss.table";
// A smaller share of the rows of a horizon is told in the table alone.
const NEWS = 0.25;

type LossRow = RecordOf<typeof LOSS_COLUMNS>;

/** Rows of the scores that were left out, by reason. */
export function lossFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { aligned: { loss, periods }, sample: { unexposed } } = analysis;
  const rows = loss.table.toRecords();
  const say = (statement: string, value: number) =>
    fact(TOPIC, statement, { value, n: loss.rows, source: SOURCE });
  const unplaced = unexposed === 0
    ? ""
    : `, ${groupThousands(unexposed)} of them because a column that the scores are made neutral ` +
      "to is missing";
  // Rows without a horizon have no return at any, so they are told once.
  const always = rows.filter(({ horizon }) => horizon === null).map(({ reason, rows: count }) => {
    const more = reason === "no_score" ? unplaced : "";
    return say(`${lossText(reason!, count!, loss.rows)}${more}.`, count!);
  });
  const { neverPriced } = loss;
  return [
    say(`${countText(loss.rows, "score row")}.`, loss.rows),
    ...always,
    ...periods.flatMap((horizon) => [
      ...ofHorizon(rows, horizon, analysis),
      ...withoutIc(horizon, analysis),
    ]),
    ...neverPriced === 0 ? [] : [
      fact(
        TOPIC,
        `${countText(neverPriced, "ticker")} of the scores ${neverPriced === 1 ? "has" : "have"} ` +
          "no price in any session.",
        { value: neverPriced, n: loss.rows, source: "aligned.loss" },
      ),
    ],
    ...[loss.nearTickers, loss.nearGroups].filter((text) => text !== null).map((text) =>
      fact(TOPIC, text, { n: loss.rows, source: "aligned.loss" })
    ),
    ...accountFacts(analysis),
    ...heldOut(analysis),
  ];
}

/** Entries, prices and groups as they are assumed. */
export function assumptionFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { aligned, origin } = analysis;
  const { timing, market, dense, loss } = aligned;
  const gaps = gapSentence(loss.priceNotes);
  const notes = [...noteSentences(loss.priceNotes), ...gaps === null ? [] : [gaps]]
    .map(({ text, count }) =>
      fact(TOPICS.assumptions, text, { value: count, source: "aligned.loss.priceNotes" })
    );
  const say = (statement: string) => fact(TOPICS.assumptions, statement, { source: "aligned" });
  return [
    ...[
      ...origin.removed === undefined ? [] : [origin.removed],
      entrySentence(timing),
      ...laterText(analysis),
      ...marketSentences(market, dense.days),
      pricesText(analysis),
      ...aligned.constantScores === null ? [] : [aligned.constantScores],
    ].map(say),
    ...notes,
    ...[
      ...dense.groups?.areUndated === true
        ? ["Groups have no dates: they are the same in all sessions and not point in time."]
        : [],
      ...origin.isUntraced === true
        ? [
          "The scores have neither snapshot_id nor download_sha256 and are assumed to be of one vintage: live sets, or one release.",
        ]
        : [],
    ].map(say),
  ];
}

/** Calendar days to the next close where it is a week or a month later, beside the IC of an entry at the close itself. */
function laterText({ aligned: { market, dense: { days }, timing }, detail }: FactorAnalysis) {
  if (market.frequency === "daily" || timing.entry === "same" || days.length < 2) return [];
  const gap = (days.at(-1)! - days[0]!) / (days.length - 1);
  const same = detail.leadLag?.toRecords().find(({ lag }) => lag === -1)?.mean ?? null;
  const ic = same === null
    ? ""
    : `; entered at the close itself (entry: same), the mean IC is ${decimalText(same, 3)}`;
  return [`The next close is ${decimalText(gap, 0)} calendar days later on average${ic}.`];
}

/** Origin of the prices, and the stocks whose closes end in them. */
function pricesText({ aligned: { loss, periods, market, delisted } }: FactorAnalysis): string {
  const own = loss.table.toRecords().filter(({ horizon }) => horizon === periods.at(-1));
  // A gap between closes is none of a delisting; a stock without any close may be one.
  const isOpen = loss.neverPriced > 0 || own.some(({ reason }) => reason === "ended");
  const survivors = delisted > 0
    ? `those of ${countText(delisted, "scored stock")} end before the last session`
    : isOpen
    ? "whether they hold delisted stocks is not known"
    : "those of no scored stock end before the last session, so they may hold survivors only";
  return `The closes are the user's own, ${adjustmentText(market)}; ${survivors}.`;
}

function ofHorizon(
  rows: readonly LossRow[],
  horizon: number,
  { aligned: { loss: { rows: n } } }: FactorAnalysis,
): readonly Fact[] {
  return rows.filter((row) => row.horizon === horizon && row.reason !== "used" && row.rows! > 0)
    .map(({ reason, rows: value }) =>
      fact(TOPIC, `At ${countText(horizon, "session")}, ${lossText(reason!, value!)}.`, {
        ...{ value, n, source: SOURCE, ...value! / n < NEWS && { place: "table" } },
      })
    );
}

// A session without any return is one that the prices do not reach, which is told by its rows.
function withoutIc(horizon: number, { ic, plan: { minNames } }: FactorAnalysis): readonly Fact[] {
  const own = ic.toRecords().filter((row) => row.horizon === horizon);
  const missing = own.filter(({ reason, n }) => reason !== null && n! > 0);
  if (own.every(({ ic: value }) => value === null)) return [];
  return [...Map.groupBy(missing, ({ reason }) => reason!)].map(([reason, { length }]) => {
    const why = reason === "too_few_names"
      ? `fewer than ${countText(minNames, "stock")} have both a score and a return`
      : becauseText(reason);
    const statement = `At ${countText(horizon, "session")}, ${groupThousands(length)} of ${
      countText(own.length, "session")
    } ${length === 1 ? "has" : "have"} no IC, because ${why}.`;
    const about = { value: length, n: own.length, source: "ic" };
    return fact(TOPIC, statement, {
      ...about,
      ...length / own.length < NEWS && { place: "table" },
    });
  });
}

// Sessions that were not seen, and how often they were.
function heldOut({ origin }: FactorAnalysis): readonly Fact[] {
  if (origin.heldOut === undefined) return [];
  const { sessions } = origin.heldOut;
  return [fact(TOPIC, heldOutText(origin.heldOut), { value: sessions, source: "origin.heldOut" })];
}

// Held without a close, booked when the close was back, and not traded.
function accountFacts({ portfolio }: FactorAnalysis): readonly Fact[] {
  const rows = portfolio.toRecords();
  const most = Math.max(0, ...rows.map((row) => row.unpriced_weight ?? 0));
  const gaps = rows.map((row) => row.gap_return ?? 0).filter((gain) => gain !== 0);
  const booked = gaps.reduce((sum, gain) => sum + gain, 0);
  const marked = `At most ${percentText(most)} of the portfolio's weight has no close in a ` +
    "session and is marked at the last one; returns after such gaps sum to " +
    `${percentText(booked)} of capital in ${countText(gaps.length, "session")}.`;
  const untraded = meanOf(
    rows.filter((row) => row.rebalanced === true).map((row) => row.untraded ?? 0),
  );
  const net = meanOf(rows.map((row) => Math.abs(row.net_weight ?? 0)));
  const tilt = net < 0.01
    ? ""
    : `; the rest is not dollar-neutral: long and short positions differ by ${percentText(net)} ` +
      "of capital on average";
  const kept = `On average, weights of ${percentText(untraded)} of capital cannot be traded for ` +
    `want of a close${tilt}.`;
  const of = { n: rows.length, source: "portfolio" };
  return [
    ...(most === 0 ? [] : [fact(TOPIC, marked, { value: most, ...of })]),
    ...(untraded > 0.05 ? [fact(TOPIC, kept, { value: untraded, ...of })] : []),
  ];
}
