import { FactorAnalysis } from "../factor/factor_analysis.ts";
import {
  assumptionFacts,
  decayFacts,
  icFacts,
  lossFacts,
  residualFacts,
  robustnessFacts,
} from "./ic_facts.ts";
import { netOf, readTraded, USUAL_RATE } from "../series/costs/costs.ts";
import { andText, capital } from "../../base/wording/words.ts";
import {
  countText,
  decimalText,
  intervalText,
  percentText,
  pPhrase,
} from "../../base/wording/number_text.ts";
import { breakEvenNumber } from "../../base/wording/sentences/cost_text.ts";
import {
  asked,
  type Fact,
  fact,
  folded,
  gatherTopics,
  JUDGEMENT_RULES,
  type JudgementOptions,
  layOutTopics,
  toldFacts,
  TOPICS,
} from "./fact.ts";
import { annualOf } from "../series/wealth/cumulative_returns.ts";
import { findContradictions, findRelation, type Relation } from "./contrary_evidence.ts";
import { noteCall } from "../../base/runtime/export_mark.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { wrongKind } from "../../base/arguments/list_text.ts";
import { escapeHtml } from "../../frames/notebook/html.ts";
import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import {
  bookFacts,
  capacityFacts,
  costFacts,
  curveFacts,
  holdingFacts,
  quantileFacts,
  reconciledFacts,
} from "./result_facts.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { describeSample } from "../factor/scores_origin.ts";
import type { TableOf } from "../table/columns.ts";

/** Topics of the answer that a judgement and a sheet begin with. */
export const ANSWERS = ["IC", "Costs", "Contrary evidence"] as const;

/**
 * The first sentences of a judgement and of a sheet: whether the scores predict, after correction for multiple testing; what they earn
 * after costs; and what contradicts it.
 */
function answerFacts(analysis: FactorAnalysis): readonly Fact[] {
  const relation = findRelation(analysis);
  const [row] = relation.found.length > 0 ? relation.found : relation.rows;
  const { mean: value = null, low = null, high = null, sessions: n = null } = row ?? {};
  const ic = { value, low, high, n, source: "summary.table" };
  const net = usualCosts(analysis);
  const { net_annual = null, net_annual_low = null, net_annual_high = null } = net ?? {};
  const ends = { value: net_annual, low: net_annual_low, high: net_annual_high };
  const costs = { ...ends, n: net?.sessions ?? null, source: "costs" };
  const costText = `${costSentence(analysis)}${reversedSentence(analysis, relation)}`;
  return [
    fact(ANSWERS[0], relationSentence(analysis, relation), ic),
    fact(ANSWERS[1], costText, costs),
    fact(ANSWERS[2], contradictionSentence(analysis, relation), { source: "contrary evidence" }),
  ];
}

/** The portfolio of a factor with a negative sign the other way round. */
function reversedSentence(analysis: FactorAnalysis, { found }: Relation): string {
  if (found.length === 0 || found.some(({ mean }) => mean! > 0)) return "";
  const { portfolio, costs, aligned: { market: { periodsPerYear } } } = analysis;
  const { series, traded } = readTraded("reverse a portfolio", portfolio);
  const other = { ...series, values: series.values.map((value) => -value) };
  const [gross, net] = [0, USUAL_RATE].map((rate) =>
    annualOf(netOf(other, traded, rate), periodsPerYear)
  );
  const rate = costs.toRecords()[0]?.break_even_one_way_bps ?? null;
  if (gross === null || net === null) return "";
  const even = rate === null || rate >= 0
    ? ""
    : `, with a break-even cost of ${decimalText(-rate, 1)} bps`;
  return ` Reversed (direction: "low"), it would earn about ${percentText(net!)} a year at ` +
    `${USUAL_RATE} bps and ${
      percentText(gross!)
    } before costs${even}: chosen after the fact, one more test.`;
}

function relationSentence(analysis: FactorAnalysis, relation: Relation): string {
  const { found, tested, rows, tests } = relation;
  if (tested.length === 0) {
    // Of the horizon that is nearest to a test.
    const most = rows.reduce((a, b) => b.windows! > a.windows! ? b : a);
    return `Not tested. ${icFacts(analysis)[rows.indexOf(most)]!.statement}`;
  }
  const untested = rows.filter((row) => !tested.includes(row));
  const without = untested.length === 0 ? "" : `; not tested at ${horizonsText(untested)}`;
  const corrected = `after Holm's correction for ${countText(tests, "test")}`;
  if (found.length > 0) {
    const not = tested.filter((row) => !found.includes(row));
    const others = not.length === 0 ? "" : `; not at ${horizonsText(not)}`;
    const inverse = found.every(({ mean }) => mean! < 0) ? ", with a negative sign," : "";
    return `The mean rank IC differs from zero${inverse} at ${andText(found.map(meanText))}, ` +
      `${corrected}${others}${without}.`;
  }
  const nearest = tested.toSorted((a, b) => a.p! - b.p!)[0]!;
  return `The mean rank IC is not distinguishable from zero at ${horizonsText(tested)}, ` +
    `${corrected}; nearest at ${meanText(nearest)}${without}.`;
}

function horizonsText(rows: Relation["rows"]): string {
  const numbers = rows.map(({ horizon }) => horizon!);
  return `${andText(numbers.map(String))} session${numbers.at(-1) === 1 ? "" : "s"}`;
}

function meanText(row: Relation["rows"][number]): string {
  const { mean, low, high, sessions, p_adjusted: p } = row;
  const adjusted = p === null ? "" : `; adjusted ${pPhrase(p)}`;
  return `${horizonsText([row])} (${decimalText(mean!, 3)}, ${intervalText([low, high], 3)}` +
    `${adjusted}; ${countText(sessions!, "session")})`;
}

/** Evidence against the result, and the names of the other checks. */
function contradictionSentence(analysis: FactorAnalysis, relation: Relation): string {
  const checks = findContradictions(analysis, relation);
  const against = checks.filter(({ isAgainst }) => isAgainst);
  const names = andText(checks.filter(({ isAgainst }) => !isAgainst).map(({ name }) => name));
  if (against.length === 0) {
    const number = countText(checks.length, "check");
    return relation.tested.length === 0
      ? `No mean IC has a test, and ${number} of the data find nothing: ${names}.`
      : `None of ${number} contradicts this result: ${names}.`;
  }
  const others = names === "" ? "" : ` Checked without contradiction: ${names}.`;
  return `${capital(against.map(({ text }) => text).join("; "))}.${others}`;
}

function usualCosts({ costs }: FactorAnalysis) {
  return costs.toRecords().find((row) => row.one_way_bps === USUAL_RATE);
}

function costSentence(analysis: FactorAnalysis): string {
  const { costs, portfolio, performance } = analysis;
  const [free] = costs.toRecords();
  if (!portfolio.getColumn("traded").toArray().some((value) => value! > 0)) {
    return "There are none: the portfolio holds nothing.";
  }
  const { break_even_one_way_bps: value, break_even_low: low, break_even_high: high } = free!;
  const even = breakEvenNumber({ value, low, high });
  if (even.rate === null) return "Not known: the portfolio has no return.";
  const over = countText(free!.sessions!, "session");
  const zero = low === null || low > 0 ? "" : ", which includes zero";
  const ends = even.interval === ""
    ? `${over}, no confidence interval`
    : `${even.interval}${zero}; ${over}`;
  const usual = usualCosts(analysis);
  const gross = performance.toRecords()[0]?.annual_return ?? null;
  const { net_annual: net = null, net_annual_low: least = null, net_annual_high: most = null } =
    usual ?? {};
  const year = net === null || gross === null
    ? ""
    : `Net of ${USUAL_RATE} bps one way, the portfolio earns ${percentText(net)} a year ` +
      `(${intervalText([least, most], percentText)}), ${percentText(gross)} before costs; `;
  const found = value! > 0
    ? `the break-even cost is ${even.rate} one way (${ends}).`
    : `there is no break-even cost, because the mean return before costs is not above zero (${ends}).`;
  return capital(`${year}${found}`);
}

/** Columns of the table, in order. */
const FACT_COLUMNS = "topic statement value low high n source";

/** StatedResult of a factor analysis in sentences: its sample and losses, its tests, their robustness and their limits. */
export class Judgement {
  static {
    displayAs(
      Judgement,
      (shown) => displayParts(() => shown.text, () => ({}), { html: () => shown.#html }),
    );
  }

  /** The answer, then the sentences with news under their headings, at most 350 words; the others are rows of `facts`. */
  readonly text: string;
  /** The same by heading. */
  readonly topics: readonly { readonly topic: string; readonly text: string }[];
  /**
   * One row a sentence, with those that the text leaves out: `topic`, `statement`, `value`, `low`, `high` (95%; of specifications the range), `n` (Int32),
   * `source` (where in the analysis the number stands).
   */
  readonly facts: TableOf<typeof FACT_COLUMNS>;
  readonly #html: string;

  /**
   * Builds a judgement from its sentences.
   *
   * @param head Subject and sample
   * @param facts The sentences in their order
   * @ignore
   */
  constructor(head: string, facts: readonly Fact[]) {
    const told = toldFacts(facts, [...ANSWERS, TOPICS.limits]);
    const rest = facts.length - told.length;
    const more = rest === 0 ? "" : `\n\n${countText(rest, "further sentence")} in facts.`;
    this.topics = gatherTopics(told);
    this.text = `${head}\n\n${layOutTopics(this.topics)}${more}`;
    const paragraphs = this.topics.map(({ topic, text }) =>
      `<p><b>${escapeHtml(topic)}</b><br>${escapeHtml(text)}</p>`
    );
    this.#html = `<div style="max-width:60rem"><p>${escapeHtml(head)}</p>\n` +
      `${paragraphs.join("\n")}</div>`;
    const rows = facts.map(({ topic, statement, value, low, high, n, source }) => {
      return [topic, statement, value, low, high, n, source];
    });
    this.facts = tableOfRows(rows, FACT_COLUMNS);
  }
}

/**
 * Summarises a factor analysis in plain sentences: first the answer (whether it predicts, what it earns after costs, what contradicts), then sample and losses, assumptions, information coefficient, robustness, multiple
 * testing, decay, quantile returns, turnover and costs, limitations. A sentence stands only if its number exists, and names
 * the observations it rests on; what weakens the result comes before what supports it. There are no grades.
 *
 * @param analysis The result of {@link analyzeFactor}
 * @param options Results of other functions on the same scores: a specification curve, a release beside the scores known at the time,
 * holding periods, capacity
 * @returns The text by topics, and its numbers as `facts`, one row each
 * @throws {TypeError} If it is not an analysis, or an option is unknown or of another kind
 * @see Wasserstein and Lazar (2016), The ASA statement on p-values, American Statistician 70
 *
 * @example Usage
 * ```ts
 * import { analyzeFactor, judgement } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const date = ["2026-10-28", "2026-10-29", "2026-10-30"].flatMap((day) => [day, day]);
 * const ticker = ["A", "B", "A", "B", "A", "B"];
 * const scores = pl.DataFrame({ date, ticker, score: [0.1, 0.9, 0.2, 0.8, 0.3, null] });
 * const prices = pl.DataFrame({ date, ticker, close: [10, 20, 11, 19, 12, 18] });
 * const { text, facts } = judgement(await analyzeFactor(scores, prices, { progress: false }));
 * console.assert(text.includes("1 has no score (16.7%)"));
 * console.assert(facts.columns.join() === "topic,statement,value,low,high,n,source");
 * ```
 */
export function judgement(analysis: FactorAnalysis, options: JudgementOptions = {}): Judgement {
  if (!(analysis instanceof FactorAnalysis)) {
    throw wrongKind("judge", analysis, {
      expected: "the result of analyzeFactor()",
      advice: "await analyzeFactor(scores, prices) gives it",
    });
  }
  checkOptions("judge", options, JUDGEMENT_RULES);
  noteCall("judgement", options);
  const { curve = null, reconciled = null, capacity = null, holdingPeriods = null } = options;
  const { trialLog: trials, aligned: { market: { unit } } } = analysis;
  const facts = [
    ...answerFacts(analysis),
    ...lossFacts(analysis),
    ...assumptionFacts(analysis),
    ...bookFacts(analysis),
    ...folded(icFacts(analysis)),
    ...residualFacts(analysis),
    ...robustnessFacts(analysis),
    ...asked(reconciledFacts(reconciled)),
    fact(TOPICS.trials, trials.text, { value: trials.count, n: trials.count, source: "trialLog" }),
    ...asked(curveFacts(curve)),
    ...decayFacts(analysis),
    ...quantileFacts(analysis),
    ...costFacts(analysis),
    ...asked([...holdingFacts(holdingPeriods), ...capacityFacts(capacity)]),
    fact(TOPICS.limits, limitsOf(analysis), { source: "aligned" }),
  ];
  return new Judgement(
    describeSample(analysis),
    facts.map((one) => ({ ...one, statement: periodText(one.statement, unit) })),
  );
}

function limitsOf({ origin }: FactorAnalysis): string {
  const history = origin.isReconstructed ? "a single, reconstructed history" : "a single history";
  return `Scores are research data, not forecasts. The sample is ${history} of one universe; stocks ` +
    "that never had a price are missing from it.";
}
