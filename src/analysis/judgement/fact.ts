import { wrapWords } from "../../base/wording/words.ts";

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

const LEAD =
  /^(?:At [\d,]+ (?:session|week|month|quarter|year)s?, |The minimum detectable mean IC at 80% power is )/;

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
}

/** A sentence; omitted numbers are `null`. */
export function fact(
  topic: string,
  statement: string,
  about: Partial<Omit<Fact, "topic" | "statement">> & Pick<Fact, "source">,
): Fact {
  return { topic, statement, value: null, low: null, high: null, n: null, ...about };
}

/** The sentences by topic, in the order in which the topics come. */
export function gatherTopics(
  facts: readonly { readonly topic: string; readonly statement: string }[],
): readonly Readonly<{ topic: string; text: string }>[] {
  const topics = [...new Set(facts.map(({ topic }) => topic))];
  return topics.map((topic) => ({
    topic,
    text: joined(facts.filter((fact) => fact.topic === topic).map(({ statement }) => statement)),
  }));
}

// Sentences that follow each other and begin with the same horizon, or the same quantity, name it once.
function joined(sentences: readonly string[]): string {
  let text = "";
  let lead: string | null = null;
  for (const sentence of sentences) {
    const own = LEAD.exec(sentence)?.[0] ?? null;
    const goesOn = own !== null && own === lead;
    text = goesOn
      ? `${text.slice(0, -1)}; ${sentence.slice(own.length)}`
      : text === ""
      ? sentence
      : `${text} ${sentence}`;
    lead = own;
  }
  return text;
}

/** Sentences under their topics: the topic in the margin, the sentences beside it. */
export function layOutFacts(facts: readonly Fact[]): string {
  return gatherTopics(facts).map(({ topic, text }) => {
    const [first = "", ...rest] = wrapWords(text, ({ length }) => MARGIN + length <= WIDTH);
    return [topic.padEnd(MARGIN) + first, ...rest.map((line) => " ".repeat(MARGIN) + line)].join(
      "\n",
    );
  }).join("\n");
}
