import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseSyntax, ROOT, type SyntaxNode, visitSyntax } from "../helpers/source_files.ts";

// How many mistakes are tried at least; it only grows.
const LEAST = 374;
const FOLDER = join(ROOT, "test", "mistakes");

/** One row of a table: what was typed, and the words that answer it, as far as they are written there. */
interface CountedRow {
  readonly typed: string;
  readonly says: string;
}

/** The rows of every table that stands in a file. */
function rowsIn(text: string): readonly CountedRow[] {
  const rows: CountedRow[] = [];
  visitSyntax(parseSyntax(text), (node) => {
    const callee = node["callee"] as { name?: string } | undefined;
    if (node.type !== "CallExpression" || callee?.name !== "mistakes") return;
    const [, table] = node["arguments"] as readonly SyntaxNode[];
    for (const { key, value } of partsOf(table, "properties")) {
      const [, says] = partsOf(value as SyntaxNode, "elements");
      rows.push({ typed: written(key as SyntaxNode), says: written(says) });
    }
  });
  return rows;

  function written(node: SyntaxNode | undefined): string {
    return node === undefined ? "" : text.slice(node.start, node.end);
  }
}

function partsOf(node: SyntaxNode | undefined, name: "properties" | "elements") {
  if (node !== undefined && name in node) return node[name] as readonly SyntaxNode[];
  throw new Error("the rows of a table of mistakes have to stand in its call, as literals");
}

const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".test.ts"));
const rows = (await Promise.all(
  names.map(async (name) => rowsIn(await readFile(join(FOLDER, name), "utf8"))),
)).flat();

test(`at least ${LEAST} mistakes are answered, each once`, () => {
  expect(rows.length).toBeGreaterThanOrEqual(LEAST);
  const typed = rows.map((row) => row.typed);
  expect(typed.filter((text, i) => typed.indexOf(text) !== i)).toEqual([]);
});

test("none is silent: each row has the words that answer it", () => {
  expect(rows.filter(({ typed, says }) => typed === "" || says === "")).toEqual([]);
});

test("rows are counted from the syntax, and a table that is made by code is refused", () => {
  const table = 'mistakes("x", { "a": [() => f(), "expected b"], "c": [() => g(), "got d" + E] });';
  expect(rowsIn(table)).toEqual([
    { typed: '"a"', says: '"expected b"' },
    { typed: '"c"', says: '"got d" + E' },
  ]);
  expect(() => rowsIn('mistakes("x", rows);')).toThrow("as literals");
  expect(() => rowsIn('mistakes("x", { ...rows });')).toThrow("as literals");
});
