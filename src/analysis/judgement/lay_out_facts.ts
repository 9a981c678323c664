import type { Fact } from "./fact.ts";

const MARGIN = 20;
const WIDTH = 120;

/** Sentences under their topics: the topic in the margin, the sentences beside it. */
export function layOutFacts(facts: readonly Fact[]): string {
  const topics = [...new Set(facts.map(({ topic }) => topic))];
  return topics.map((topic) => {
    const sentences = facts.filter((fact) => fact.topic === topic).map((fact) => fact.statement);
    const [first = "", ...rest] = wrap(joined(sentences));
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

const LEAD = /^At [\d,]+ sessions? /;

// Sentences that follow each other about the same horizon name it once.
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
