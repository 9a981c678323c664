import type { Fact } from "./fact.ts";
import { gatherTopics } from "./gather_topics.ts";

const MARGIN = 25;
const WIDTH = 120;

/** Sentences under their topics: the topic in the margin, the sentences beside it. */
export function layOutFacts(facts: readonly Fact[]): string {
  return gatherTopics(facts).map(({ topic, text }) => {
    const [first = "", ...rest] = wrap(text);
    return [topic.padEnd(MARGIN) + first, ...rest.map((line) => " ".repeat(MARGIN) + line)].join(
      "\n",
    );
  }).join("\n");
}

function wrap(text: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && MARGIN + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
