import { wrongKind } from "../../arguments/wrong_kind.ts";
import type { DataFrame } from "nodejs-polars";
import { FactorAnalysis } from "../factor/factor_analysis.ts";
import { countText } from "../inference/number_text.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { Parts } from "../table/parts.ts";
import { type Fact, fact } from "./fact.ts";
import { gatherTopics } from "./gather_topics.ts";
import { layOutFacts } from "./lay_out_facts.ts";
import { assumptionFacts, lossFacts } from "./loss_facts.ts";
import { carrierFacts, costFacts } from "./money_facts.ts";
import { certaintyFacts, decayFacts, ledgerFacts, relationFacts } from "./relation_facts.ts";

/** What a factor analysis found, what it lost, and how sure it is. */
export class Judgement extends Parts {
  /** The sentences under their headings, in a fixed order. */
  readonly text: string;
  /**
   * One row a sentence: `topic`, `statement`, `value`, `low`, `high` (95 %; of a noise control the range), `n` (Int32),
   * `source` (where in the analysis the number stands).
   */
  readonly facts: DataFrame;
  readonly #html: string;

  /**
   * Puts sentences together.
   *
   * @param head What was analysed, and over what
   * @param facts The sentences in their order
   */
  constructor(head: string, facts: readonly Fact[]) {
    super();
    this.text = `${head}\n\n${layOutFacts(facts)}`;
    this.#html = topicsHtml(head, facts);
    this.facts = frameOfRows(facts, [
      { name: "topic", type: "text", read: (row) => row.topic },
      { name: "statement", type: "text", read: (row) => row.statement },
      { name: "value", type: "number", read: (row) => row.value },
      { name: "low", type: "number", read: (row) => row.low },
      { name: "high", type: "number", read: (row) => row.high },
      { name: "n", type: "count", read: (row) => row.n },
      { name: "source", type: "text", read: (row) => row.source },
    ]);
  }

  /** The judgement is its text; the facts are a frame of their own. */
  protected parts(): Readonly<Record<string, DataFrame>> {
    return {};
  }

  /** In a notebook the lines of a topic flow with the width of the page, below its name. */
  protected override sentencesHtml(): string {
    return this.#html;
  }
}

/**
 * Says in plain sentences what a factor analysis found: what was left out, what was assumed, whether there is a relation, how
 * sure, what was tried, how it fades, who carries it, what it costs, what it is not. A sentence stands only if its number
 * exists, and holds its observations; what weakens the result comes before what supports it. There are no grades.
 *
 * @param analysis What {@link analyzeFactor} gave
 * @throws {TypeError} If it is no analysis
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
 * console.assert(text.includes("1 has no score (16.7 %)"));
 * console.assert(facts.columns.join() === "topic,statement,value,low,high,n,source");
 * ```
 */
export function judgement(analysis: FactorAnalysis): Judgement {
  if (!(analysis instanceof FactorAnalysis)) {
    throw wrongKind("judge", analysis, {
      expected: "the result of analyzeFactor()",
      advice: "await analyzeFactor(scores, prices) gives it",
    });
  }
  return new Judgement(headOf(analysis), [
    ...lossFacts(analysis),
    ...assumptionFacts(analysis),
    ...relationFacts(analysis),
    ...certaintyFacts(analysis),
    ...ledgerFacts(analysis),
    ...decayFacts(analysis),
    ...carrierFacts(analysis),
    ...costFacts(analysis),
    fact("What it is not", limitsOf(analysis), { source: "aligned" }),
  ]);
}

function topicsHtml(head: string, facts: readonly Fact[]): string {
  const topics = gatherTopics(facts).map(({ topic, text }) =>
    `<p><b>${escapeHtml(topic)}</b><br>${escapeHtml(text)}</p>`
  );
  return `<div style="max-width:60rem"><p>${escapeHtml(head)}</p>\n${topics.join("\n")}</div>`;
}

function limitsOf({ origin }: FactorAnalysis): string {
  const history = origin.isReconstructed ? "one universe, reconstructed" : "one universe";
  return `Scores are research data, not forecasts. This is one history of ${history}; names that were ` +
    "never in the prices are not in it.";
}

function headOf({ origin, aligned }: FactorAnalysis): string {
  const { dense, sessions } = aligned;
  const [first, last] = [sessions[dense.from], sessions[dense.to - 1]];
  const span = dense.to <= dense.from ? "no session" : `${first} to ${last}`;
  const synthetic = origin.isSynthetic ? " Synthetic." : "";
  return `${origin.what}, ${span}, ${countText(Math.max(0, dense.to - dense.from), "session")}, ` +
    `${countText(dense.tickers.length, "ticker")}.${synthetic}`;
}
