import type { DataFrame } from "nodejs-polars";
import { wrapWords } from "../../base/wording/words.ts";
import { StatedResult } from "../table/frame_of_rows.ts";
import { type OptionRules, type Rule, ruleOf } from "../../base/arguments/check_options.ts";
import type { reconcile } from "../factor_test/reconcile.ts";
import type { specificationCurve } from "../selection/specification_curve.ts";
import { CAPACITY_COLUMNS, HOLDING_COLUMNS } from "../series/costs/capacity.ts";
import { kindsOf, type TableOf } from "../table/columns.ts";

/** Headings of a judgement, in their order. */
export const TOPICS = {
  sample: "Sample and losses",
  assumptions: "Assumptions",
  ic: "Information coefficient",
  robustness: "Robustness",
  trials: "Multiple testing",
  decay: "Decay",
  quantiles: "Quantile returns",
  costs: "Turnover and costs",
  limits: "Limitations",
} as const;

const MARGIN = 25;
const WIDTH = 120;

/** One sentence of a judgement, with the number that it rests on. */
export interface Fact {
  /** Its heading. */
  readonly topic: string;
  /** The sentence. */
  readonly statement: string;
  /** Its number; `null` if it has none. */
  readonly value: number | null;
  /** Lower end of the 95% interval of the number. */
  readonly low: number | null;
  /** Upper end of the 95% interval of the number. */
  readonly high: number | null;
  /** Number of observations that it rests on. */
  readonly n: number | null;
  /** The frame of the analysis in which the number stands. */
  readonly source: string;
  /** `table`: a row of the table alone; `text`: always told. @default told as far as the words of a text go */
  readonly place?: "table" | "text";
}

/** A sentence; omitted numbers are `null`. */
export function fact(
  topic: string,
  statement: string,
  about: Partial<Omit<Fact, "topic" | "statement">> & Pick<Fact, "source">,
): Fact {
  return { topic, statement, value: null, low: null, high: null, n: null, ...about };
}

/** The same as rows of the table alone. */
export function folded(facts: readonly Fact[]): readonly Fact[] {
  return facts.map((one) => ({ ...one, place: "table" }));
}

/** The same as sentences that are always told: somebody asked for them. */
export function asked(facts: readonly Fact[]): readonly Fact[] {
  return facts.map((one) => ({ ...one, place: "text" }));
}

/** The sentences by topic, in the order in which the topics come. */
export function gatherTopics(
  facts: readonly { readonly topic: string; readonly statement: string }[],
): readonly Readonly<{ topic: string; text: string }>[] {
  const topics = [...new Set(facts.map(({ topic }) => topic))];
  return topics.map((topic) => ({
    topic,
    text: facts.filter((fact) => fact.topic === topic).map(({ statement }) => statement).join(" "),
  }));
}

/** Sentences under their topics: the topic in the margin, the sentences beside it. */
export function layOutTopics(topics: ReturnType<typeof gatherTopics>): string {
  return topics.map(({ topic, text }) => {
    const [first = "", ...rest] = wrapWords(text, ({ length }) => MARGIN + length <= WIDTH);
    return [topic.padEnd(MARGIN) + first, ...rest.map((line) => " ".repeat(MARGIN) + line)].join(
      "\n",
    );
  }).join("\n");
}

// The text of a judgement is read in two minutes.
const MOST_WORDS = 300;

/** The sentences of a text: those that are not folded, in their order, as far as the words go; the first and the last ones always. */
export function toldFacts(facts: readonly Fact[], always: readonly string[]): readonly Fact[] {
  const told = facts.filter(({ place }) => place !== "table");
  const words = ({ statement }: Fact) => statement.split(" ").length;
  const isAlways = ({ topic, place }: Fact) => place === "text" || always.includes(topic);
  let left = told.filter(isAlways).reduce((rest, one) => rest - words(one), MOST_WORDS);
  return told.filter((one) => {
    if (isAlways(one)) return true;
    left -= words(one);
    return left >= 0;
  });
}

/** Results on the same scores that a judgement states beside those of the analysis. */
export interface JudgementOptions {
  /**
   * Result of {@link specificationCurve}. Adds the range of the mean IC over all specifications, and their joint p value, to
   * multiple testing.
   *
   * @default none
   */
  readonly curve?: Awaited<ReturnType<typeof specificationCurve>>;
  /**
   * Result of {@link reconcile}. Adds the share of rows of the release that differ from the scores known at the time, and the
   * difference of the mean ICs, to robustness.
   *
   * @default none
   */
  readonly reconciled?: ReturnType<typeof reconcile>;
  /**
   * Result of {@link capacity}. Adds the capital at which the mean net return is zero to turnover and costs.
   *
   * @default none
   */
  readonly capacity?: TableOf<typeof CAPACITY_COLUMNS>;
  /**
   * Result of {@link holdingPeriods}. Adds the holding period with the highest net return to turnover and costs.
   *
   * @default none
   */
  readonly holdingPeriods?: TableOf<typeof HOLDING_COLUMNS>;
}

/** Rules of the options that a judgement and a tear sheet share. */
export const JUDGEMENT_RULES: OptionRules<JudgementOptions> = {
  curve: ruleOf(
    "the result of specificationCurve()",
    (value) => value instanceof StatedResult && "summary" in value.tables,
  ),
  reconciled: ruleOf(
    "the result of reconcile()",
    (value) => value instanceof StatedResult && "ics" in value.tables,
  ),
  capacity: resultTable("the result of capacity()", CAPACITY_COLUMNS),
  holdingPeriods: resultTable("the result of holdingPeriods()", HOLDING_COLUMNS),
};

/** A frame with at least the columns of a result and a row. */
function resultTable<Names extends string>(required: string, columns: Names): Rule<TableOf<Names>> {
  const names = Object.keys(kindsOf(columns));
  return ruleOf(required, (value) => {
    const frame = value as Partial<DataFrame> | null;
    return Array.isArray(frame?.columns) && (frame.height ?? 0) > 0 &&
      names.every((name) => frame.columns!.includes(name));
  });
}
