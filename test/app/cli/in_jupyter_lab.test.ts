// @heavy: a language server
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";
import { describeWithLab, startLab, type TestLab } from "../../helpers/jupyter/jupyter_lab.ts";
import { ROOT } from "../../helpers/source_files.ts";

const run = promisify(execFile);
const LONG_MS = 600_000;
const CELLS = [
  'import { demo } from "scoreframe";\n\nconst api = await demo();',
  'const scores = await api.scores("ecpnd", {  });',
  'scores.getColumn("");',
  'await api.panel("ecpnd", { att: [] });\nscores.getColumn("ecpnd_scores");',
];

describeWithLab("completion in JupyterLab 4", () => {
  describeWithBrowser("in Chromium", () => {
    let lab: TestLab;
    let browser: Browser;
    beforeAll(async () => {
      // Below the project, whose deno.json the server looks for.
      lab = await startLab(join(ROOT, ".scoreframe"), prepare);
      browser = await launchBrowser();
    }, LONG_MS);
    afterAll(async () => {
      await browser?.close();
      await lab?.[Symbol.asyncDispose]();
    }, LONG_MS);

    test(
      "offers options and columns, and underlines what is misspelt, before a cell has run",
      async () => {
        const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
        await page.goto(lab.urlOf("cells.ipynb"));
        const underlined = () => page.locator(".cm-lintRange-error").allInnerTexts();
        await expect.poll(underlined, { timeout: LONG_MS }).toEqual(
          expect.arrayContaining(["att", '"ecpnd_scores"']),
        );
        // A busy machine shows a list before all of it has come.
        const soon = { timeout: 180_000, interval: 1_000 };
        await expect.poll(() => offered(page, "const scores", 4), soon).toEqual(
          expect.arrayContaining(["at?", "snapshotId?", "ticker?"]),
        );
        await expect.poll(() => offered(page, 'getColumn("");', 3), soon).toEqual(
          expect.arrayContaining(["ticker", "ecpnd_score", "snapshot_id", "source"]),
        );
        await page.close();
      },
      LONG_MS,
    );
  });
});

/** The labels that Tab offers in a line, so many characters before its end. */
async function offered(page: Page, line: string, before: number): Promise<readonly string[]> {
  await page.locator(".jp-Notebook .cm-line", { hasText: line }).first().click();
  await page.keyboard.press("End");
  for (let i = 0; i < before; i++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Tab");
  const labels = page.locator(".jp-Completer-item .jp-Completer-match");
  await labels.first().waitFor({ timeout: 20_000 }).catch(() => {});
  const found = await labels.allInnerTexts();
  await page.keyboard.press("Escape");
  return found;
}

/** Writes a notebook for Deno's kernel, that kernel, and the entry that `lab` writes. */
async function prepare(folder: string): Promise<readonly string[]> {
  const kernel = join(folder, ".data", "kernels", "scoreframe");
  await mkdir(kernel, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  const names = { display_name: "scoreframe (Deno)", language: "typescript" };
  await writeFile(join(kernel, "kernel.json"), JSON.stringify({ argv, ...names }));
  const env = { ...process.env, HOME: folder, JUPYTER_CONFIG_DIR: join(folder, ".config") };
  const command = join(ROOT, "src/app/cli/main.ts");
  await run(Deno.execPath(), ["run", "-A", command, "lab", "--no-open"], { cwd: folder, env });
  const cells = CELLS.map((source, i) => ({
    cell_type: "code",
    id: `cell-${i}`,
    execution_count: null,
    metadata: {},
    source,
    outputs: [],
  }));
  const metadata = {
    kernelspec: { name: "scoreframe", ...names },
    language_info: { name: "typescript", file_extension: ".ts", mimetype: "text/x.typescript" },
  };
  const notebook = { cells, metadata, nbformat: 4, nbformat_minor: 5 };
  await writeFile(join(folder, "cells.ipynb"), JSON.stringify(notebook));
  return ["cells.ipynb"];
}
