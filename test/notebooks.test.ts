// @heavy: a Jupyter kernel
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  outputText,
  startJupyter,
  type TestJupyter,
  tidyNotebook,
} from "./helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "./helpers/jupyter/needs_jupyter.ts";
import {
  codeCells,
  differencesOf,
  notebookNames,
  NOTEBOOKS,
  readNotebook,
  runWhole,
  sourceOf,
} from "./helpers/jupyter/notebook_files.ts";
import { strayNumbers } from "./helpers/jupyter/prose_numbers.ts";

const LONG_MS = 900_000;

test("there is a notebook for each of the nine subjects", () => {
  const numbers = notebookNames.map((name) => basename(name).slice(0, 3));
  expect(numbers).toEqual(["00_", "01_", "02_", "03_", "04_", "05_", "06_", "07_", "08_"]);
});

describe.each(notebookNames)("notebooks/%s", (name) => {
  test("is committed with outputs, without keys and without paths of a machine", async () => {
    const notebook = await readNotebook(name);
    expect(codeCells(notebook).some((cell) => outputText(cell, "text/html") !== "")).toBe(true);
    const text = JSON.stringify(notebook);
    expect(text).not.toMatch(/svc_(live|test)_[A-Za-z0-9]{12,}/);
    expect(text).not.toMatch(/\/(home|root|Users|tmp)\//);
    expect(text).not.toContain("<script");
    expect(text.length).toBeLessThan(1_000_000);
  });

  test("says first what one can do after it", async () => {
    const [title, first] = sourceOf((await readNotebook(name)).cells[0]!).split("\n\n");
    expect(title).toMatch(/^# /);
    expect(first).toMatch(/^After this notebook you can /);
  });

  test("begins with a code cell of at most five lines", async () => {
    const [first] = codeCells(await readNotebook(name));
    expect(sourceOf(first!).trim().split("\n").length).toBeLessThanOrEqual(5);
  });

  test("has lines of code that fit on a screen", async () => {
    const lines = codeCells(await readNotebook(name)).flatMap((cell) => sourceOf(cell).split("\n"));
    // JupyterLab shows so many in a window of 800 pixels.
    expect(lines.filter((line) => line.length > 78)).toEqual([]);
  });

  test("ends with its moral in two sentences", async () => {
    const last = (await readNotebook(name)).cells.at(-1)!;
    const [title, moral = ""] = sourceOf(last).split("\n\n");
    expect(title).toBe("## Takeaway");
    expect(moral.split(/[.!?](?:\s|$)/).filter((sentence) => sentence !== "")).toHaveLength(2);
  });

  test("has no number in its prose that its outputs do not show", async () => {
    expect(strayNumbers(await readNotebook(name))).toEqual([]);
  });
});

await describeWithJupyter("notebooks in Jupyter", () => {
  let jupyter: TestJupyter;
  beforeAll(async () => {
    jupyter = await startJupyter();
  }, LONG_MS);
  afterAll(() => jupyter?.[Symbol.asyncDispose](), LONG_MS);

  test.each(notebookNames)(
    "notebooks/%s shows again what it was committed with",
    async (name) => {
      const committed = await readNotebook(name);
      // What is committed holds no scripts and no rows beyond those that are seen.
      const env = { SCOREFRAME_API_KEY: "", SCOREFRAME_URL: "", SCOREFRAME_DISPLAY: "static" };
      const cwd = dirname(join(NOTEBOOKS, name));
      const differences = await runWhole(name, async () => {
        const executed = tidyNotebook(await jupyter.execute(committed, cwd, env));
        const found = differencesOf(committed, executed);
        if (found.length > 0) {
          const changed = join(NOTEBOOKS, name.replace(/\.ipynb$/, "-changed.ipynb"));
          await writeFile(changed, `${JSON.stringify(executed, null, 1)}\n`);
        }
        return found;
      });
      expect(differences).toEqual([]);
    },
    LONG_MS,
  );
});
