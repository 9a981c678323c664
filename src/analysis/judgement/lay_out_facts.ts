import { wrapWords } from "../../base/wording/wrap_words.ts";
import type { Fact } from "./fact.ts";
import { gatherTopics } from "./gather_topics.ts";

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
