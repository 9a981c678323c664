import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RUNNING } from "./_running_cells.ts";
import { findingText } from "../../../src/study/lint/lint_finding.ts";
import { lintCells, lintNotebook } from "../../../src/study/lint/lint_notebook.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-messy-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function pathOf(text: string): Promise<string> {
  const path = join(folder, "a.ipynb");
  await writeFile(path, text);
  return path;
}

const codeCell = (source: unknown, index = 0) => ({
  cell_type: "code",
  source,
  execution_count: index + 1,
  metadata: {},
  outputs: [{ output_type: "stream", name: "stdout", text: ["1\n"] }],
});

/** What lint says of a notebook that is written to a file, one line a finding. */
async function saysOf(cells: readonly unknown[], more: object = {}): Promise<readonly string[]> {
  const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5, ...more };
  return (await lintNotebook(await pathOf(JSON.stringify(notebook)))).map(findingText);
}

describe("cells that people write", () => {
  test.each(Object.entries(RUNNING))("%s raise no alarm", async (_, lines) => {
    expect(await saysOf(lines.map(codeCell))).toEqual([]);
  });

  test.each<[string, readonly string[], string]>([
    [
      "a magic of IPython",
      ["const n = 1;", "n;\n%matplotlib inline"],
      "cell 2, line 2: has %matplotlib of another kernel, which Deno does not know; use TypeScript instead",
    ],
    [
      "a command of a shell",
      ["!pip install polars"],
      "cell 1, line 1: has !pip of another kernel, which Deno does not know; use TypeScript instead",
    ],
    [
      "a cell of another language",
      ["%%html\n<b>x</b>"],
      "cell 1, line 1: has %%html of another kernel, which Deno does not know; use TypeScript instead",
    ],
    [
      "an unfinished line",
      ["const n = 1;\nconst = 2;", "n;"],
      "cell 1, line 2: is not valid TypeScript: Unexpected token (column 7); correct it, or make it a text cell",
    ],
    [
      "one import twice in a cell",
      ['import a from "a";\nimport a from "a";'],
      "cell 1, line 2: is not valid TypeScript: Identifier 'a' has already been declared (column 8); " +
      "correct it, or make it a text cell",
    ],
    [
      "a let twice in a cell",
      ["let a = 1;\nlet a = 2;"],
      "cell 1, line 2: is not valid TypeScript: Identifier 'a' has already been declared (column 5); " +
      "correct it, or make it a text cell",
    ],
    [
      "a let of two cells",
      ["let a = 1;", "a;", "let a = 2;"],
      "cell 3, line 1: defines a, as cell 1 does, so that cells that use it depend on which ran last; rename one of them",
    ],
    [
      "a name that a block keeps",
      ["{ function inner() {} }", "inner();"],
      "cell 2, line 1: uses inner, which no cell defines; restore the cell that defined it",
    ],
    [
      "an expression beyond the stack",
      [`a${".b()".repeat(3_000)}`],
      "cell 1: is nested too deeply to be read; use several shorter expressions",
    ],
  ])("%s is named", async (_, cells, said) => {
    expect(await saysOf(cells.map(codeCell))).toEqual([said]);
  });
});

describe("files that people leave", () => {
  const cells = [
    { cell_type: "markdown", source: "# Title", metadata: {} },
    { cell_type: "raw", source: "%not code", metadata: {} },
    codeCell("", 0),
    codeCell("   \n\n", 1),
    codeCell(["const n = 1;\r\n", "const m = n;\r\n"], 2),
    {
      ...codeCell("m;\r\nn;", 3),
      outputs: [{
        output_type: "error",
        ename: "Error",
        evalue: "no",
        traceback: ["\u001b[31mno"],
      }],
    },
  ];

  test.each([0, 1, 2, 3, 4, 5])("format 4.%i, with ids and without", async (minor) => {
    expect(await saysOf(cells, { nbformat_minor: minor })).toEqual([]);
    const alike = cells.map((cell) => ({ ...cell, id: "same" }));
    expect(await saysOf(alike, { nbformat_minor: minor })).toEqual([]);
  });

  test("a byte order mark, and line ends of Windows", async () => {
    const text = "\uFEFF" +
      JSON.stringify({ cells, nbformat: 4 }, null, 1).replaceAll("\n", "\r\n");
    expect(await lintNotebook(await pathOf(text))).toEqual([]);
  });

  test("text cells alone, and no cells", async () => {
    expect(await saysOf(cells.slice(0, 2))).toEqual([]);
    expect(await saysOf([])).toEqual([]);
  });

  test("an output of 20 MB, which is not looked at", async () => {
    const data = { "image/png": "A".repeat(20_000_000) };
    const huge = { ...codeCell("1;"), outputs: [{ output_type: "display_data", data }] };
    expect(await saysOf([huge, codeCell("n;", 1)])).toEqual([
      "cell 2, line 1: uses n, which no cell defines; restore the cell that defined it",
    ]);
  });

  test("a notebook of Python is said once, not in each cell", async () => {
    const python = ["import polars as pl", "%time x", "1 + 1", "def f(): return 1"].map(codeCell);
    const metadata = { kernelspec: { name: "python3", language: "python" } };
    expect(await saysOf([cells[0], ...python], { metadata })).toEqual([
      "cell 2: is not TypeScript, and the notebook is one of python; give notebooks of the Deno kernel",
    ]);
    // Saved with another kernel by mistake: the cells are read all the same.
    expect(await saysOf([codeCell("n;")], { metadata })).toHaveLength(1);
  });

  test.each([
    ["", "an empty file; restore it"],
    ["<<<<<<< HEAD\n{}", "one with marks of a merge conflict; resolve the conflict"],
    ['{"cells": [', "another file; give an .ipynb file"],
    ["null", "another file; give an .ipynb file"],
    [
      '{"worksheets": [{"cells": []}], "nbformat": 3}',
      "one of format 3; open and save it in Jupyter",
    ],
  ])("%j is refused", async (text, got) => {
    const path = await pathOf(text);
    await expect(lintNotebook(path)).rejects.toThrow(
      `Cannot read ${path}: expected a Jupyter notebook of format 4, got ${got}`,
    );
  });

  test("cells that hold anything, and code that is cut anywhere, end in no crash", () => {
    const code = Object.values(RUNNING).flat().join("\n");
    const cut = fc.tuple(fc.nat(code.length), fc.nat(200))
      .map(([from, length]) => code.slice(from, from + length));
    const cell = fc.oneof(
      fc.anything(),
      fc.record({
        cell_type: fc.constant("code"),
        source: fc.oneof(cut, fc.string(), fc.array(cut, { maxLength: 3 }), fc.anything()),
        execution_count: fc.anything(),
        outputs: fc.anything(),
      }),
    );
    const notebook = fc.record({
      cells: fc.array(cell, { maxLength: 6 }),
      metadata: fc.anything(),
    });
    fc.assert(
      fc.property(notebook, (messy) => {
        for (const finding of lintCells(messy as never)) expect(finding.says).toMatch(/; \w+ /);
      }),
      { numRuns: 500 },
    );
  });
});
