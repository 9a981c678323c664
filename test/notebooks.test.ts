import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Notebook,
  type NotebookCell,
  outputText,
  startJupyter,
  type TestJupyter,
  tidyNotebook,
} from "./helpers/jupyter.ts";
import { describeWithJupyter } from "./helpers/needs_jupyter.ts";
import { ROOT } from "./helpers/source_files.ts";

const run = promisify(execFile);
const FOLDER = join(ROOT, "notebooks");
const LONG_MS = 180_000;

// A notebook that is part of a study stands in the folder of the study.
const names = (await readdir(FOLDER, { recursive: true }))
  .filter((name) => name.endsWith(".ipynb") && !name.endsWith("-changed.ipynb"))
  .toSorted();

async function read(name: string): Promise<Notebook> {
  return JSON.parse(await readFile(join(FOLDER, name), "utf8"));
}

function sourceOf(cell: NotebookCell): string {
  return typeof cell.source === "string" ? cell.source : cell.source.join("");
}

function codeCells(notebook: Notebook): readonly NotebookCell[] {
  return notebook.cells.filter((cell) => cell.cell_type === "code");
}

/** What a cell shows; `null` for a cell whose output is tagged as different each time. */
function shown(cell: NotebookCell): string | null {
  if (cell.metadata.tags?.includes("volatile") === true) return null;
  // The ids of requests are the service's own, and new each time.
  return outputText(cell, "text/plain").trim().replace(/request [0-9a-f-]{36}/g, "request …");
}

describe.each(names)("notebooks/%s", (name) => {
  test("has cells that pass the type check", async () => {
    // Inside the repository, where imports resolve as they do in a cell; one module, as one kernel has one scope.
    const folder = join(ROOT, ".scoreframe", "cells");
    const file = join(folder, basename(name).replace(/\.ipynb$/, ".ts"));
    await mkdir(folder, { recursive: true });
    const cells = codeCells(await read(name)).map(sourceOf);
    await writeFile(file, `${cells.join("\n;\n")}\nexport {};\n`);
    try {
      await run(Deno.execPath(), ["check", "--quiet", file], { cwd: ROOT });
    } catch (error) {
      expect.fail((error as { stderr: string }).stderr);
    } finally {
      await rm(file, { force: true });
    }
  }, LONG_MS);

  test("is committed with outputs, without keys and without paths of a machine", async () => {
    const notebook = await read(name);
    expect(codeCells(notebook).some((cell) => outputText(cell, "text/html") !== "")).toBe(true);
    const text = JSON.stringify(notebook);
    expect(text).not.toMatch(/svc_(live|test)_[A-Za-z0-9]{12,}/);
    expect(text).not.toMatch(/\/(home|root|Users|tmp)\//);
    expect(text.length).toBeLessThan(1_000_000);
  });

  test("begins with a code cell of at most five lines", async () => {
    const [first] = codeCells(await read(name));
    expect(sourceOf(first!).trim().split("\n").length).toBeLessThanOrEqual(5);
  });
});

await describeWithJupyter("notebooks in Jupyter", () => {
  let jupyter: TestJupyter;
  beforeAll(async () => {
    jupyter = await startJupyter();
  }, LONG_MS);
  afterAll(() => jupyter?.[Symbol.asyncDispose]());

  test.each(names)("notebooks/%s shows again what it was committed with", async (name) => {
    const committed = await read(name);
    const env = { SCOREFRAME_API_KEY: "", SCOREFRAME_URL: "" };
    const executed = tidyNotebook(
      await jupyter.execute(committed, dirname(join(FOLDER, name)), env),
    );
    const expected = codeCells(committed).map(shown);
    const seen = codeCells(executed).map(shown);
    if (JSON.stringify(seen) !== JSON.stringify(expected)) {
      const changed = join(FOLDER, name.replace(/\.ipynb$/, "-changed.ipynb"));
      await writeFile(changed, `${JSON.stringify(executed, null, 1)}\n`);
    }
    expect(seen).toEqual(expected);
  }, LONG_MS);
});
