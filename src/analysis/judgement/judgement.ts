import { noteCall } from "../../base/runtime/export_mark.ts";
import { answerFacts, ANSWERS } from "./answer.ts";
import { countText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { wrongKind } from "../../base/arguments/list_text.ts";

import { FactorAnalysis } from "../factor/factor_analysis.ts";
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
import { assumptionFacts, lossFacts } from "./loss_facts.ts";
import { describeSample } from "../factor/scores_origin.ts";
import { decayFacts, icFacts, residualFacts, robustnessFacts } from "./ic_facts.ts";
import type { TableOf } from "../table/columns.ts";

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
    this.#html = topicsHtml(head, this.topics);
    const rows = facts.map(({ topic, statement, value, low, high, n, source }) => [
      ...[topic, statement, value, low, high, n, source],
    ]);
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
export function judgement(
  analysis: FactorAnalysis,
  options: JudgementOptions = {},
): Judgement {
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

function topicsHtml(head: string, told: Judgement["topics"]): string {
  const topics = told.map(({ topic, text }) =>
    `<p><b>${escapeHtml(topic)}</b><br>${escapeHtml(text)}</p>`
  );
  return `<div style="max-width:60rem"><p>${escapeHtml(head)}</p>\n${topics.join("\n")}</div>`;
}

function limitsOf({ origin }: FactorAnalysis): string {
  const history = origin.isReconstructed ? "a single, reconstructed history" : "a single history";
  return `Scores are research data, not forecasts. The sample is ${history} of one universe; stocks ` +
    "that never had a price are missing from it.";
}
