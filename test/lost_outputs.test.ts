import { describe, expect, test } from "vitest";
import type { Notebook } from "./helpers/jupyter/jupyter.ts";
import { type CellDifference, differencesOf, runWhole } from "./helpers/jupyter/notebook_files.ts";

const TABLE = {
  output_type: "execute_result",
  data: { "text/html": "<table><tr><td>1</td></tr></table>", "text/plain": "1 row" },
};
const SHOWN = { output_type: "display_data", data: { "text/plain": "a text" } };
const PRINTED = { output_type: "stream", text: "printed\n" };
const RESULT = { output_type: "execute_result", data: { "text/plain": "true" } };

function notebookOf(...outputs: readonly object[]): Notebook {
  const cell = { cell_type: "code", source: "cell()", metadata: {}, outputs };
  return { cells: [cell] } as unknown as Notebook;
}

function differ(before: readonly object[], after: readonly object[]): readonly CellDifference[] {
  return differencesOf(notebookOf(...before), notebookOf(...after));
}

describe("differencesOf()", () => {
  test.each([
    ["a printed text", [TABLE, PRINTED], [TABLE], 'the kernel lost a printed text, "printed"'],
    ["a plain result", [SHOWN, RESULT], [SHOWN], 'the kernel lost text/plain, "true"'],
    ["a table", [TABLE], [], 'this library lost text/html and text/plain, "1 row"'],
    ["a text of show()", [SHOWN, RESULT], [RESULT], 'this library lost text/plain, "a text"'],
  ])("says of %s that is lost whose it was", (_name, before, after, said) => {
    expect(differ(before, after).map(({ line }) => line)).toEqual([`cell of "cell()": ${said}`]);
  });

  test("finds no loss where an output is another one, or one too many", () => {
    const other = { ...RESULT, data: { "text/plain": "false" } };
    for (const after of [[other], [RESULT, other], [other, RESULT]]) {
      const [difference] = differ([RESULT], after);
      expect(difference!.lost).toEqual([]);
    }
  });
});

describe("runWhole()", () => {
  const lost = (...outputs: readonly object[]) => differ([TABLE, ...outputs], [TABLE]);

  test("repeats what the kernel lost, and says which output that was", async () => {
    const said: string[] = [];
    const runs = [lost(PRINTED), []];
    const found = await runWhole("00.ipynb", () => Promise.resolve(runs.shift()!), {
      say: (line) => void said.push(line),
    });
    expect(found).toEqual([]);
    expect(said).toEqual([
      'REPEATED, 00.ipynb after run 1 of at most 3: cell of "cell()": the kernel lost a printed ' +
      'text, "printed"',
    ]);
  });

  test("repeats once where this library lost one output, and not where it loses one again", async () => {
    const said: string[] = [];
    const found = await runWhole("00.ipynb", () => Promise.resolve(lost(SHOWN, PRINTED)), {
      say: (line) => void said.push(line),
    });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('this library lost text/plain, "a text"');
    expect(found).toEqual(lost(SHOWN, PRINTED).map(({ line }) => line));
  });

  test.each([
    ["more than one output of this library", lost(SHOWN, SHOWN)],
    ["another number", [...lost(PRINTED), ...differ([TABLE], [RESULT])]],
  ])("repeats nothing where %s differs", async (_name, differences) => {
    let runs = 0;
    const found = await runWhole("00.ipynb", () => {
      runs++;
      return Promise.resolve(differences);
    }, { say: () => expect.fail("nothing is repeated") });
    expect(runs).toBe(1);
    expect(found).toEqual(differences.map(({ line }) => line));
  });

  test("gives up after three runs", async () => {
    let runs = 0;
    const found = await runWhole("00.ipynb", () => {
      runs++;
      return Promise.resolve(lost(RESULT));
    }, { say: () => {} });
    expect(runs).toBe(3);
    expect(found).toHaveLength(1);
  });
});
