import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { NOTEBOOKS } from "../../helpers/jupyter/notebook_files.ts";
import { runMain } from "./_run_main.ts";

const QUICKSTART = join(NOTEBOOKS, "00_quickstart.ipynb");
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-lint-"));
  path = join(folder, "early.ipynb");
  const cells = ["n + 1;", "const n = 1;"].map((source) => ({ cell_type: "code", source }));
  await writeFile(
    path,
    JSON.stringify({ cells: [{ cell_type: "markdown", source: "" }, ...cells] }),
  );
});
afterEach(() => rm(folder, { recursive: true }));

test("lint names the cell, the line and what to do, and exits with 1", async () => {
  expect(await runMain("lint", path)).toEqual({
    code: 1,
    out:
      `${path}, cell 2, line 1: uses n, which only cell 3 defines; move that cell above this one\n` +
      "1 notebook: 1 finding",
    error: "",
  });
});

test("lint has nothing to say of a notebook that runs from its top", async () => {
  const { code, out } = await runMain("lint", QUICKSTART);
  expect({ code, out }).toEqual({ code: 0, out: "1 notebook: no hidden state" });
});

test("lint gives its findings as JSON, by notebook", async () => {
  const { code, out } = await runMain("lint", QUICKSTART, path, "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    [QUICKSTART]: [],
    [path]: [{
      cell: 2,
      line: 1,
      kind: "used_early",
      name: "n",
      says: "uses n, which only cell 3 defines; move that cell above this one",
    }],
  });
});

test("lint without a notebook shows how it is used", async () => {
  const { code, error } = await runMain("lint");
  expect(code).toBe(2);
  expect(error).toContain("lint NOTEBOOK... [--json]");
});
