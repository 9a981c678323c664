import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError } from "../../../src/base/errors.ts";
import { lintCells, lintNotebook } from "../../../src/study/lint/lint_notebook.ts";
import { ASYNC_FUNCTIONS, ASYNC_METHODS } from "../../../src/study/lint/lint_promises.ts";
import { notebookNames, NOTEBOOKS } from "../../helpers/jupyter/notebook_files.ts";
import { ROOT } from "../../helpers/source_files.ts";

test.each(notebookNames)("notebooks/%s raises no alarm", async (name) => {
  expect(await lintNotebook(join(NOTEBOOKS, name))).toEqual([]);
});

/** A form of cell, which defines a name of its own and takes earlier ones. */
const FORMS: readonly ((own: string, taken: readonly string[]) => string)[] = [
  (own, taken) => `const ${own} = [${taken.join(", ")}].length;`,
  (own, taken) => `function ${own}(x = 1) { return [x, ${taken.join(", ")}]; }`,
  (own, taken) =>
    `const ${own} = async (y) => { const z = y; return { z, t: [${taken.join(", ")}] }; };`,
  (own, taken) => `const { a: ${own} = 1, ...rest_${own} } = { b: [${taken.join(", ")}] };`,
  (own, taken) =>
    `let ${own} = 0;\nfor (const i of [${taken.join(", ")}]) { ${own} += Number(i); }\n${own};`,
  (own, taken) =>
    `class ${own} { static n = 1; m() { return [${taken.join(", ")}]; } }\nnew ${own}();`,
  (own, taken) =>
    `const ${own} = await Promise.all([${taken.join(", ")}].map(async (x) => await x));`,
  (own, taken) =>
    `let ${own}: unknown;\ntry { ${own} = [${
      taken.join(", ")
    }] as unknown; } catch (error) { console.log(error); }`,
];

test("two hundred notebooks whose cells rest on earlier ones alone raise no alarm", () => {
  const cell = fc.record({
    form: fc.nat(FORMS.length - 1),
    taken: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 4 }),
  });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 30 }), (cells) => {
      const sources = cells.map(({ form, taken }, i) => {
        const names = i === 0 ? [] : taken.map((share) => `n${Math.floor(share * i)}`);
        return FORMS[form]!(`n${i}`, names);
      });
      const notebook = {
        cells: sources.map((source, i) => ({
          cell_type: "code",
          source,
          execution_count: i + 1,
          outputs: [{ output_type: "stream", text: "1" }],
        })),
      };
      expect(lintCells(notebook)).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test("each function and method that gives a promise is known", async () => {
  const face = await readFile(join(ROOT, ".ci/public_api.txt"), "utf8");
  const text = face.replace(/\n {2}[^\n]*,(?=\n)/g, "").replace(/\(\n\): /g, "(): ");
  const sections = text.split(/^# /m).filter((section) =>
    !/^scoreframe\/(cli|server)/.test(section)
  );
  const gives = /: (Promise|LoadPromise|PricesPromise|AnalysisPromise)</;
  const functions = sections.flatMap((section) => section.split("\n"))
    .filter((line) => /^function \w+/.test(line) && gives.test(line.replace(/\(.*\)/, "()")))
    .map((line) => /^function (\w+)/.exec(line)![1]!);
  // With a frame it gives no promise.
  const either = ["forwardReturns"];
  const unknown = functions.filter((name) => !ASYNC_FUNCTIONS.has(name) && !either.includes(name));
  expect(unknown).toEqual([]);
  for (const name of [...ASYNC_FUNCTIONS, ...ASYNC_METHODS]) {
    expect(face).toMatch(new RegExp(`(^function |^  )${name}[(<]`, "m"));
  }
});

describe("a file", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-lint-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("that is no notebook is refused with its name", async () => {
    const path = join(folder, "a.ipynb");
    await writeFile(path, "{}");
    const error = await lintNotebook(path).catch((error) => error);
    expect(error).toBeInstanceOf(IntegrityError);
    expect(error.message).toBe(
      `Cannot read ${path}: expected a Jupyter notebook of format 4, got another file; give an .ipynb file`,
    );
  });

  test("takes the time of its study from the code where no lock is there", async () => {
    const path = join(folder, "a.ipynb");
    const source = 'import { openStudy } from "scoreframe";\n' +
      'const s = await openStudy("x", { asOf: "2026-11-20T15:00:00Z" });\n' +
      'await s.scores("ecpnd", { at: "2026-11-21T15:00:00Z" });';
    await writeFile(path, JSON.stringify({ cells: [{ cell_type: "code", source }] }));
    const found = await lintNotebook(path);
    expect(found).toMatchObject([{ cell: 1, line: 3, kind: "after_study" }]);
  });
});
