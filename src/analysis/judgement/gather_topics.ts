import { wrapWords } from "../../base/wording/words.ts";
import type { Fact } from "./fact.ts";

/** The sentences of one topic as a paragraph. */
export interface TopicText {
  /** Their topic. */
  readonly topic: string;
  /** The sentences. */
  readonly text: string;
}

const LEAD =
  /^(?:At [\d,]+ (?:session|week|month|quarter|year)s?, |The minimum detectable mean IC at 80% power is )/;

/** The sentences by topic, in the order in which the topics come. */
export function gatherTopics(
  facts: readonly { readonly topic: string; readonly statement: string }[],
): readonly TopicText[] {
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

const MARGIN = 25;
const WIDTH = 120;

/** Sentences under their topics: the topic in the margin, the sentences beside it. */
export function layOutFacts(facts: readonly Fact[]): string {
  return gatherTopics(facts).map(({ topic, text }) => {
    const [first = "", ...rest] = wrapWords(text, ({ length }) => MARGIN + length <= WIDTH);
    return [topic.padEnd(MARGIN) + first, ...rest.map((line) => " ".repeat(MARGIN) + line)].join(
      "\n",
    );
  }).join("\n");
}
