import { describe, expect, test } from "vitest";
import { lintCells } from "../../../src/study/lint/lint_notebook.ts";
import type { NotebookFile } from "../../../src/study/run/notebook_file.ts";

/** A cell by its code; with the count of its run and an output where it ran. */
type Planted = string | readonly [code: string, count: number | null];

function notebookOf(cells: readonly Planted[]): NotebookFile {
  return {
    cells: cells.map((cell) => {
      const [source, count] = typeof cell === "string" ? [cell, null] as const : cell;
      const outputs = count === null
        ? []
        : [{ output_type: "execute_result", data: { "text/plain": "1" } }];
      return { cell_type: "code", source, execution_count: count, outputs };
    }),
  };
}

const STUDY = { asOf: "2026-11-20T15:00:00.000Z", isLive: true };
const CONNECT = 'import { connect } from "scoreframe"; const api = await connect();';

/** Name, cells, and what is found: cell, kind and name. */
const CASES: readonly (readonly [string, readonly Planted[], string])[] = [
  ["a value of a later cell", ["n + 1;", "const n = 1;"], "1 used_early n"],
  ["a function of a later cell", ["f();", "function f() { return 1; }"], "1 used_early f"],
  ["a class of a later cell", ["new C();", "class C {}"], "1 used_early C"],
  ["an import of a later cell", ["show(1);", 'import { show } from "x";'], "1 used_early show"],
  [
    "a name of a later cell in a callback",
    ["[1].map((x) => x + n);", "const n = 1;"],
    "1 used_early n",
  ],
  [
    "a name of a later cell in an argument",
    ["console.log({ n });", "const n = 1;"],
    "1 used_early n",
  ],
  ["a name of a later cell in a template", ["`${n}`;", "const n = 1;"], "1 used_early n"],
  [
    "a destructured name of a later cell",
    ["a + b;", "const { a, c: { b } } = { a: 1, c: { b: 2 } };"],
    "1 used_early a|1 used_early b",
  ],
  [
    "a default that a later cell defines",
    ["const { a = n } = {} as { a?: number };", "const n = 1;"],
    "1 used_early n",
  ],
  [
    "a function that needs a later cell, and is called before",
    ["const f = () => n;", "f();", "const n = 1;"],
    "2 used_early n",
  ],
  [
    "a function of a function that needs a later cell",
    ["function f() { return g(); }\nfunction g() { return n; }", "f();", "const n = 1;"],
    "2 used_early n",
  ],
  ["a value given in a later cell", ["k = 2;", "let k = 1;"], "1 used_early k"],
  [
    "a base class of a later cell",
    ["class D extends B {}\nnew D();", "class B {}"],
    "1 used_early B",
  ],
  ["an enum of a later cell", ["E.A;", "enum E { A }"], "1 used_early E"],
  ["a name behind as", ["(n as number) + 1;", "const n = 1;"], "1 used_early n"],
  ["a name behind !", ["n!.length;", 'const n: string | undefined = "a";'], "1 used_early n"],
  ["a name of a deleted cell", ["closes.head(5);"], "1 undefined_name closes"],
  [
    "a name that was renamed",
    ["const prices = 1;", "price + 1;"],
    "2 undefined_name price",
  ],
  [
    "a function that needs a deleted cell",
    ["const f = () => gone;", "f();"],
    "2 undefined_name gone",
  ],
  ["a key that is no name, beside one that is", ["({ a: gone }).a;"], "1 undefined_name gone"],
  ["a value of two cells", ["const n = 1;", "const n = 2;"], "2 defined_twice n"],
  ["a let of two cells", ["let n = 1;", "n;", "let n = 2;"], "3 defined_twice n"],
  [
    "a function of two cells",
    ["const f = (x: number) => x;", "const f = (x: number) => x + 1;"],
    "2 defined_twice f",
  ],
  [
    "an import that another cell shadows",
    ['import { mean } from "a";', "const mean = 1;"],
    "2 defined_twice mean",
  ],
  [
    "the same name of two modules",
    ['import { mean } from "a";', 'import { mean } from "b";'],
    "2 defined_twice mean",
  ],
  [
    "a destructured name of two cells",
    ["const [a] = [1];", "const [a] = [2];"],
    "2 defined_twice a",
  ],
  ["a count that each run raises", ["let n = 0;", "n += 1;"], "2 changed_again n"],
  ["a count that each run raises by ++", ["let n = 0;", "n++;"], "2 changed_again n"],
  [
    "a frame that each run filters again",
    ["let f = [1, 2];", "f = f.filter((x) => x > 1);"],
    "2 changed_again f",
  ],
  [
    "a frame that each run of a loop changes",
    ["let s = 0;", "for (const x of [1, 2]) s = s + x;"],
    "2 changed_again s",
  ],
  [
    "an output older than a run that it rests on",
    [["const n = 1;", 3], ["n + 1;", 2]],
    "2 older_output null",
  ],
  [
    "an output older than an edit that it rests on",
    [["const n = 1;", null], ["n + 1;", 2]],
    "2 older_output null",
  ],
  [
    "an output older than a run two cells above",
    [["const n = 1;", 5], ["const m = n;", 6], ["m;", 3]],
    "3 older_output null",
  ],
  [
    "cells that ran in another order",
    [["const n = 1;", 2], ["const m = 1;", 1]],
    "2 out_of_order null",
  ],
  [
    "a load that is taken for its frame",
    [`${CONNECT}\nconst s = api.scores("ecpnd");`, "s.height;"],
    "1 not_awaited s",
  ],
  [
    "a load whose value nobody takes",
    [`${CONNECT}\napi.factors();\n1;`],
    "1 not_awaited api.factors",
  ],
  [
    "a load in a loop",
    [`${CONNECT}\nfor (const f of ["ecpnd"] as const) { api.scores(f); }`],
    "1 not_awaited api.scores",
  ],
  [
    "an analysis that is taken for its result",
    [
      'import { analyzeFactor } from "scoreframe/analysis"; const a = analyzeFactor(1, 2);',
      "a.ic;",
    ],
    "1 not_awaited a",
  ],
  [
    "a list of promises",
    [
      "const f = async (x: number) => x;",
      "const xs = [1].map(async (x) => await f(x));",
      "xs.length;",
    ],
    "2 not_awaited xs",
  ],
  [
    "forEach with an async function",
    ["[1].forEach(async (x) => { await fetch(`http://x/${x}`); });"],
    "1 not_awaited forEach",
  ],
  [
    "an async function of the notebook",
    ["async function load() { return 1; }", "load();\n2;"],
    "2 not_awaited load",
  ],
  [
    "a file of node:fs/promises",
    ['import { writeFile } from "node:fs/promises";', 'writeFile("a", "b");\n1;'],
    "2 not_awaited writeFile",
  ],
  [
    "a demo in a study of a service",
    ['import { demo } from "scoreframe"; const api = await demo();'],
    "1 demo_in_live demo",
  ],
  [
    "a study that is opened as a demo",
    ['import { openStudy } from "scoreframe"; const s = await openStudy("x", { demo: true });'],
    "1 demo_in_live demo",
  ],
  [
    "an at after the study's time",
    [`${CONNECT}\nawait api.scores("ecpnd", { at: "2026-11-21T15:00:00Z" });`],
    "1 after_study 2026-11-21T15:00:00Z",
  ],
  ["a date after the study's time", ['const to = "2027-01-04";'], "1 after_study 2027-01-04"],
  ["a cell that is no TypeScript", ["const = 1;"], "1 unreadable null"],
  ["a magic of another kernel", ["%time n"], "1 unreadable null"],
];

describe("a notebook with", () => {
  test.each(CASES)("%s is named", (_, cells, expected) => {
    const found = lintCells(notebookOf(cells), STUDY).map(({ cell, kind, name }) =>
      `${cell} ${kind} ${kind === "older_output" ? null : name}`
    );
    expect(found).toEqual(expected.split("|"));
  });

  test("each of these says what is there and what to do, and in which line", () => {
    for (const [, cells] of CASES) {
      for (const { says, line, kind } of lintCells(notebookOf(cells), STUDY)) {
        expect(says).toMatch(/^[a-z].+; (move|use|restore|rename|give|run|load|correct) /);
        if (!["older_output", "out_of_order"].includes(kind)) expect(line).toBeGreaterThan(0);
      }
    }
  });
});

describe("no alarm for", () => {
  test.each<[string, readonly Planted[]]>([
    ["names of earlier cells", ["const n = 1;", "n + 1;"]],
    ["a function that is called after what it needs", [
      "const f = () => n;",
      "const n = 1;",
      "f();",
    ]],
    ["functions that call each other", [
      "const f = (): number => g();\nconst g = () => 1;",
      "f();",
    ]],
    ["names of the runtime", ["console.log(Deno.version, globalThis.name, structuredClone(1));"]],
    ["names of parameters and loops", [
      "((a, { b }, ...c) => [a, b, c])(1, { b: 2 });\nfor (const i of [1]) i;",
    ]],
    ["names of a block", ["if (true) { const x = 1; x; }\ntry { 1; } catch (e) { e; }"]],
    ["var of a function", ["(function () { for (var i = 0; i < 2; i++) { i; }\nreturn i; })();"]],
    ["keys, labels and properties", [
      "const o = { later: 1 };\no.later;\nlabel: for (;;) break label;",
      "const later = 2;",
    ]],
    ["types", ["const x: Later | null = null;\ntype Later = number;", "interface Later2 {}"]],
    ["an import that two cells repeat", ['import { a } from "x";', 'import { a } from "x";', "a;"]],
    ["a function that two cells repeat", ["const f = () => 1;", "const f = () => 1;", "f();"]],
    ["a value that is set from outside", ["let n = 0;", "n = 5;"]],
    ["a question whether a name exists", ["typeof gone === 'undefined';"]],
    ["runs with gaps between them", [["const n = 1;", 2], ["n;", 7]]],
    ["a notebook without outputs", ["const n = 1;", "n;"]],
    ["a promise that ends a cell", [`${CONNECT}\napi.factors();`]],
    ["a promise that is awaited later", [`${CONNECT}\nconst s = api.scores("ecpnd");`, "await s;"]],
    ["promises that are awaited together", [
      `${CONNECT}\nconst a = api.scores("ecpnd"), b = api.scores("ecqdi");`,
      "await Promise.all([a, b]);",
    ]],
    ["a response that is asked for", [
      `${CONNECT}\nconst s = api.scores("ecpnd");`,
      "(await s.withResponse()).raw;",
    ]],
    ["an earlier date than the study's time", ['const from = "2026-11-20";']],
    ["a later date whose refusal is shown", ['try { "2027-01-04"; } catch { 1; }']],
  ])("%s", (_, cells) => {
    expect(lintCells(notebookOf(cells), { ...STUDY, isLive: null })).toEqual([]);
  });
});
