import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "./helpers/source_files.ts";

/** An exported name: its entry point, its declaration, and the text of its signature and members. */
interface Exported {
  readonly name: string;
  readonly entry: string;
  readonly kind: string;
  readonly text: string;
}

// `deno task check` compares this report with the code.
const face = readFace(await readFile(join(ROOT, ".ci/public_api.txt"), "utf8"));

// Raising it is a decision: a type that stands once in a signature can be part of it.
const MOST_NAMES = 320;

describe("the public face", () => {
  test("has no more names than a user can learn", () => {
    expect(new Set(face.map(({ name }) => name)).size).toBeLessThanOrEqual(MOST_NAMES);
  });

  test("exports no type that nothing names which a user calls", () => {
    const wrong = unnamed(face).map(({ name, entry }) =>
      `${entry} exports ${name}, and no exported function, constant or error names it: take it ` +
      "out of that mod.ts, or make the signature that users need it for name it"
    );
    expect(wrong.length, `\n${wrong.join("\n")}\n`).toBe(0);
  });

  test("exports each name at one entry point", () => {
    const wrong = [...Map.groupBy(face, ({ name }) => name)]
      .map(([name, all]) => [name, new Set(all.map(({ entry }) => entry))] as const)
      .filter(([, entries]) => entries.size > 1)
      .map(([name, entries]) =>
        `${name} is exported by ${
          [...entries].join(" and ")
        }: leave it at one of them, and where ` +
        "it means two things, give one of these another name"
      );
    expect(wrong.length, `\n${wrong.join("\n")}\n`).toBe(0);
  });
});

function readFace(report: string): readonly Exported[] {
  let entry = "";
  const found: Exported[] = [];
  for (const line of report.split("\n")) {
    if (line.startsWith("# ")) {
      entry = line.slice(2);
      continue;
    }
    const [, kind, name] = /^(function|const|class|interface|type) (\w+)/.exec(line) ?? [];
    if (kind !== undefined) found.push({ name: name!, entry, kind, text: line });
    else if (found.length > 0) {
      const last = found.pop()!;
      found.push({ ...last, text: `${last.text}\n${line}` });
    }
  }
  return found;
}

/** The exported names that no chain of signatures joins to a function, a constant or an error. */
function unnamed(all: readonly Exported[]): readonly Exported[] {
  const byName = Map.groupBy(all, ({ name }) => name);
  const reached = new Set<string>();
  const reach = (name: string) => {
    if (reached.has(name)) return;
    reached.add(name);
    byName.get(name)?.flatMap(({ text }) => namesIn(text)).forEach(reach);
  };
  for (const { name, kind } of all) {
    if (kind === "function" || kind === "const" || isError(name, all)) reach(name);
  }
  return all.filter(({ name }) => !reached.has(name));
}

function namesIn(text: string): readonly string[] {
  return text.replaceAll(/"[^"]*"/g, "").match(/\b[A-Z]\w*/g) ?? [];
}

/** Errors are caught by their class. */
function isError(name: string, all: readonly Exported[]): boolean {
  const head = all.find((one) => one.name === name && one.kind === "class")?.text.split("\n")[0];
  const parent = /^class \w+ extends (\w+)/.exec(head ?? "")?.[1];
  return parent === "Error" || (parent !== undefined && isError(parent, all));
}

describe("the rules of this test", () => {
  const report = [
    "# scoreframe",
    "",
    "function load(",
    "  options?: LoadOptions,",
    "): Loaded",
    "interface LoadOptions",
    '  readonly kind: Kind | "Orphan"',
    "class Loaded",
    "  rows(): Rows",
    "interface Rows",
    "type Kind = string",
    "interface Orphan",
    "  readonly other: Other",
    "interface Other",
    "class LoadError extends Error",
    "  readonly why: Why",
    "class LateError extends LoadError",
    "type Why = string",
    "",
  ].join("\n");

  test("follow options, results, their members and errors, and nothing in quotes", () => {
    expect(unnamed(readFace(report)).map(({ name }) => name)).toEqual(["Orphan", "Other"]);
  });
});
