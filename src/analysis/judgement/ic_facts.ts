import {
  countText,
  decimalText,
  intervalText,
  percentText,
  pPhrase,
} from "../../base/wording/number_text.ts";
import { detectableText, meanText } from "../../base/wording/sentences/test_text.ts";
import type { FactorAnalysis } from "../factor/factor_analysis.ts";
import { type Fact, fact, folded, TOPICS } from "./fact.ts";
import {
  type HALF_LIFE_COLUMNS,
  halfLifeNumber,
  holdsEveryLag,
  SHORTEST,
} from "../series/half_life.ts";
import type { RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import type { RecordOf } from "../table/columns.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
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

/** The mean IC by horizon, with its test. */
export function icFacts({ summary, detail }: FactorAnalysis): readonly Fact[] {
  return summary.table.toRecords().map((row) => {
    const { mean, low, high, sessions: n } = row;
    const horizon = row.horizon!;
    const statement = mean === null
      ? `There is no IC at ${countText(horizon, "session")}: ${detail.whyNoIc.get(horizon)!}`
      : meanText({
        what: "mean rank IC",
        horizon,
        mean,
        low,
        high,
        n: n!,
        reason: row.reason,
        t: row.t,
        df: row.df,
        p: row.p,
        overlap: row.overlap!,
        windows: row.windows!,
      }, (value) => decimalText(value, 3));
    return fact(TOPICS.ic, `${statement}.`, { value: mean, low, high, n, source: "summary.table" });
  });
}

/** The IC before the scores were made neutral, and after. */
export function residualFacts({ residualIc }: FactorAnalysis): readonly Fact[] {
  return (residualIc?.toRecords() ?? []).flatMap((row) => {
    const { mean: value, low, high, sessions } = row;
    if (row.raw === null || row.residual === null) return [];
    const about = { value, low, high, n: sessions!, source: "residualIc" };
    return [fact(TOPICS.ic, residualIcText(row), about)];
  });
}

/** The half-life of the IC. */
export function decayFacts(analysis: FactorAnalysis): readonly Fact[] {
  const [row] = analysis.halfLife.toRecords();
  if (row === undefined) return [];
  const { half_life: value, half_life_low: low, half_life_high: high } = row;
  const statement = halfLifeText(row, lagsText(analysis), reachedLags(analysis));
  const about = { value, low, high, n: row.sessions ?? 0, source: "halfLife" };
  return [fact(TOPICS.decay, statement, about)];
}

/** The half-life of the IC in a sentence, or why none is estimated. */
export function halfLifeText(
  row: RecordOf<typeof HALF_LIFE_COLUMNS>,
  lags: string,
  reached: readonly number[],
): string {
  const { half_life: halfLife, half_life_low: low, half_life_high: high, reason } = row;
  const over = countText(row.sessions ?? 0, "session");
  if (halfLife !== null && holdsEveryLag(low, high, reached)) {
    return `The half-life of the IC is not determined, because its 95% CI includes all of ${lags} (${over}).`;
  }
  if (halfLife !== null && !Number.isNaN(halfLife)) {
    const textOf = (value: number) =>
      value < SHORTEST ? `below ${SHORTEST}` : halfLifeNumber(value);
    return `The half-life of the IC is ${halfLifeNumber(halfLife)} sessions ` +
      `(${intervalText([low, high], textOf)}), fitted to ${lags} (${over}).`;
  }
  switch (reason) {
    case "shorter_than_grid":
      return `The half-life of the IC is below ${SHORTEST} sessions, the shortest that is fitted (${lags}, ${over}).`;
    case "no_relation":
      return "No half-life is estimated: the 95% CI of the IC fitted at lag " +
        `${Math.min(...reached)} includes zero (${decimalText(row.level_low!, 3)} to ` +
        `${decimalText(row.level_high!, 3)}; ${lags}; ${over}).`;
    case "no_decay":
      return `No half-life is estimated, because the IC does not decay over ${lags} (${over}).`;
    default:
      return "No half-life is estimated, because a fit requires the ICs of 20 sessions at 3 lags.";
  }
}

/** The lags that the data reaches: those beyond its end have no IC. */
function lagsText(analysis: FactorAnalysis): string {
  const { plan } = analysis;
  const reached = reachedLags(analysis);
  if (reached.length === 0) return `lags ${Math.min(...plan.lags)} to ${Math.max(...plan.lags)}`;
  const last = Math.max(...reached);
  const beyond = Math.max(...plan.lags) > last ? ", the longest in the data" : "";
  return reached.length === 1 ? `lag ${last}` : `lags ${Math.min(...reached)} to ${last}${beyond}`;
}

function reachedLags({ decayMeans }: FactorAnalysis): readonly number[] {
  return decayMeans.toRecords().filter(({ mean }) => mean !== null)
    .map(({ group }) => Number(group));
}

/** Raw and residual IC of the same stocks, and of residual scores with residual returns. */
function residualIcText(row: RecordOf<typeof RESIDUAL_IC_COLUMNS>): string {
  const text = (value: number) => decimalText(value, 3);
  const { mean, low, high } = row;
  const sessions = countText(row.sessions!, "session");
  const apart = mean === null
    ? ` (${sessions})`
    : `; they differ by ${text(mean)} (${intervalText([low, high], text)}; ${sessions})`;
  const neutral = row.specific === null
    ? ""
    : ` With returns made neutral as well it is ${text(row.specific)}.`;
  return `At ${countText(row.horizon!, "session")}, the mean rank IC of the same stocks is ` +
    `${text(row.raw!)} before the scores are made neutral and ${text(row.residual!)} ` +
    `after${apart}.${neutral}`;
}

/** Effects that the tests could have found where they found nothing, and the permutation test. */
export function robustnessFacts(analysis: FactorAnalysis): readonly Fact[] {
  const open = analysis.summary.table.toRecords()
    .filter(({ t, low, high }) => t !== null && low! <= 0 && high! >= 0)
    .map(({ horizon, detectable, sessions: n }) => {
      const statement = `${detectableText(decimalText(detectable!, 3))} at ` +
        `${countText(horizon!, "session")} (${countText(n!, "session")}).`;
      return fact(TOPICS.robustness, statement, { value: detectable, n, source: "summary.table" });
    });
  return [...open, ...folded(permutationFact(analysis))];
}

function permutationFact({ permutation, plan }: FactorAnalysis): readonly Fact[] {
  const [row] = permutation?.toRecords() ?? [];
  if (row === undefined || row.p === null || !plan.periods.includes(1)) return [];
  const { sessions: n, p, mean, z } = row;
  const within = row.within === "group" ? "each session and group" : "each session";
  const statement =
    `The permutation test at 1 session permutes residual returns within ${within}; ` +
    `it gives ${pPhrase(p)} for a mean IC of ${decimalText(mean!, 3)} ` +
    `with residual returns (z = ${decimalText(z!, 2)}; ${countText(n!, "session")}).`;
  return [fact(TOPICS.robustness, statement, { value: p, n, source: "permutation" })];
}

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
  const { neverPriced: value } = loss;
  const about = { n: loss.rows, source: "aligned.loss" };
  const unpriced = `${countText(value, "ticker")} of the scores ${value === 1 ? "has" : "have"} ` +
    "no price in any session.";
  return [
    say(`${countText(loss.rows, "score row")}.`, loss.rows),
    ...always,
    ...periods.flatMap((horizon) => [
      ...ofHorizon(rows, horizon, loss.rows),
      ...withoutIc(horizon, analysis),
    ]),
    ...value === 0 ? [] : [fact(TOPIC, unpriced, { value, ...about })],
    ...[loss.nearTickers, loss.nearGroups].flatMap((text) => text ?? [])
      .map((text) => fact(TOPIC, text, about)),
    ...accountFacts(analysis),
    ...heldOut(analysis),
  ];
}

/** Entries, prices and groups as they are assumed. */
export function assumptionFacts(analysis: FactorAnalysis): readonly Fact[] {
  const { aligned, origin } = analysis;
  const { timing, market, dense, loss } = aligned;
  const notes = [...noteSentences(loss.priceNotes), gapSentence(loss.priceNotes) ?? []].flat()
    .map(({ text, count }) =>
      fact(TOPICS.assumptions, text, { value: count, source: "aligned.loss.priceNotes" })
    );
  const say = (statements: readonly (string | false | null | undefined)[]) =>
    statements.filter((one) => typeof one === "string")
      .map((statement) => fact(TOPICS.assumptions, statement, { source: "aligned" }));
  return [
    ...say([
      origin.removed,
      entrySentence(timing),
      ...laterText(analysis),
      ...marketSentences(market, dense.days),
      pricesText(analysis),
      aligned.constantScores,
    ]),
    ...notes,
    ...say([
      dense.groups?.areUndated === true &&
      "Groups have no dates: they are the same in all sessions and not point in time.",
      origin.isUntraced === true &&
      "The scores have neither snapshot_id nor download_sha256 and are assumed to be of one vintage: live sets, or one release.",
    ]),
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

function ofHorizon(rows: readonly LossRow[], horizon: number, n: number): readonly Fact[] {
  return rows.filter((row) => row.horizon === horizon && row.reason !== "used" && row.rows! > 0)
    .map(({ reason, rows: value }) => {
      const statement = `At ${countText(horizon, "session")}, ${lossText(reason!, value!)}.`;
      return fact(TOPIC, statement, { value, n, source: SOURCE, ...placeOf(value! / n) });
    });
}

function placeOf(share: number): Pick<Fact, "place"> {
  return share < NEWS ? { place: "table" } : {};
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
    return fact(TOPIC, statement, { ...about, ...placeOf(length / own.length) });
  });
}

// Sessions that were not seen, and how often they were.
function heldOut({ origin }: FactorAnalysis): readonly Fact[] {
  if (origin.heldOut === undefined) return [];
  const { sessions } = origin.heldOut;
  return [
    fact(TOPIC, `${heldOutText(origin.heldOut)}.`, { value: sessions, source: "origin.heldOut" }),
  ];
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
