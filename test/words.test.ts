import { describe, expect, test } from "vitest";
import { documents } from "./helpers/source/documents.ts";
import { notebookNames, readNotebook, sourceOf } from "./helpers/jupyter/notebook_files.ts";
import { sourceFiles } from "./helpers/source_files.ts";

/** Words that no text for users has, each with those that it has instead. */
const UNUSED: readonly (readonly [RegExp, string])[] = [
  [/\d %(?! ?[\d(])/, '"95%", without a space'],
  [/Holm's way/, `"Holm's method"`],
  [/with its band/, '"with its 95% confidence interval"'],
  [/four times in five/, '"at 80% power"'],
  [/honest threshold/, '"adjusted threshold"'],
  [/where nobody (sits|looks)/, '"in an unattended run"'],
  [/deserves a look/, 'the kind of fault, or "possible faults"'],
  [/everywhere rising/, '"monotonically rising"'],
  [/made-up numbers/, '"synthetic"'],
  [/\bnoise control/, '"permutation test"'],
];
// A doc comment opens with a noun phrase or a verb.
const OPENING = /\/\*\*\s+(?:\* )?(What|Whether|How|Who|Whose)\b/g;

describe("texts for users", () => {
  test("have no word that is not used any more", async () => {
    const found = (await texts()).flatMap(([path, text]) => unusedIn(path, text));
    expect(found).toEqual([]);
  });

  test("of doc comments open with a noun phrase or a verb", async () => {
    const found = (await sources()).flatMap(([path, text]) => openingsIn(path, text));
    expect(found).toEqual([]);
  });
});

describe("the search for words", () => {
  test("names the line and the word to write instead", () => {
    expect(unusedIn("a.md", "Fine.\nAn interval of 95 % holds it.")).toEqual([
      'a.md:2: "95 %" is not used; write "95%", without a space',
    ]);
    expect(unusedIn("a.ts", "const rest = count * 7919 % 31;\nconst even = 4 % (n + 1);")).toEqual(
      [],
    );
  });

  test("finds a question at the start of a doc comment, on one line or several", () => {
    const text =
      "/** Whether it is open. */\n/**\n * What it holds.\n */\n/** Tests what it holds. */";
    expect(openingsIn("a.ts", text)).toEqual([
      'a.ts:1: a doc comment opens with "Whether"; open with a noun phrase or a verb, such as "`true` if"',
      'a.ts:2: a doc comment opens with "What"; open with a noun phrase or a verb, such as "`true` if"',
    ]);
  });
});

async function sources(): Promise<readonly (readonly [path: string, text: string])[]> {
  return (await sourceFiles()).map(({ path, text }) => [path, text] as const);
}

// CONTRIBUTING.md quotes such words, beside those to write.
async function texts(): Promise<readonly (readonly [path: string, text: string])[]> {
  const guides = (await documents())
    .filter(({ path }) => path !== "CONTRIBUTING.md" && path !== "CHANGELOG.md")
    .map(({ path, text }) => [path, text] as const);
  const notebooks = await Promise.all(notebookNames.map(async (name) => {
    const { cells } = await readNotebook(name);
    const prose = cells.filter((cell) => cell.cell_type === "markdown");
    return [name, prose.map(sourceOf).join("\n")] as const;
  }));
  return [...await sources(), ...guides, ...notebooks];
}

function unusedIn(path: string, text: string): string[] {
  return text.split("\n").flatMap((line, i) =>
    UNUSED.flatMap(([pattern, instead]) => {
      const word = pattern.exec(line)?.[0];
      return word === undefined
        ? []
        : [`${path}:${i + 1}: "${around(line, word)}" is not used; write ${instead}`];
    })
  );
}

/** The word with the digits before it. */
function around(line: string, word: string): string {
  return /^\d/.test(word) ? /[\d.]*$/.exec(line.slice(0, line.indexOf(word)))![0] + word : word;
}

function openingsIn(path: string, text: string): string[] {
  return [...text.matchAll(OPENING)].map(({ index, 1: word }) => {
    const line = text.slice(0, index).split("\n").length;
    return `${path}:${line}: a doc comment opens with "${word}"; open with a noun phrase or a verb, ` +
      'such as "`true` if"';
  });
}
