// @heavy: a Jupyter kernel
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DISPLAY } from "../../../src/frames/notebook/display.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";
import { describeWithLab, startLab, type TestLab } from "../../helpers/jupyter/jupyter_lab.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";

const LONG_MS = 300_000;

/** Where a term and what describes it stand in the page. */
interface Placed {
  readonly float: string;
  /** `grid` beside its text, `block` above it. */
  readonly layout: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

// Runs in the page, which knows nothing of this file.
const PLACES = `[...document.querySelectorAll(".scoreframe-sheet dl")].map((list) =>
  [...list.children].map((part) => {
    const { left, right, top } = part.getBoundingClientRect();
    const layout = getComputedStyle(list).display;
    return { float: getComputedStyle(part).float, layout, left, right, top };
  }))`;

describeWithLab("a sheet in a cell of JupyterLab 4", () => {
  describeWithBrowser("in Chromium", () => {
    let lab: TestLab;
    let browser: Browser;
    beforeAll(async () => {
      lab = await startLab(tmpdir(), async (folder) => {
        await writeFile(join(folder, "sheet.ipynb"), JSON.stringify(await notebookOfSheet()));
        return ["sheet.ipynb"];
      });
      browser = await launchBrowser();
    }, LONG_MS);
    afterAll(async () => {
      await browser?.close();
      await lab?.[Symbol.asyncDispose]();
    }, LONG_MS);

    test(
      "stands in two columns: the page's own style of lists does not reach into it",
      async () => {
        const page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
        await page.goto(lab.urlOf("sheet.ipynb"));
        await page.waitForSelector(".scoreframe-sheet dl", { timeout: LONG_MS });
        const lists = await page.evaluate(PLACES) as readonly (readonly Placed[])[];
        await page.close();
        expect(lists.length).toBeGreaterThan(0);
        for (const list of lists) {
          expect(list.map(({ float }) => float)).toEqual(list.map(() => "none"));
          for (let i = 0; i + 1 < list.length; i += 2) {
            const [term, text] = [list[i]!, list[i + 1]!];
            if (term.layout === "grid") {
              expect(text.left).toBeGreaterThanOrEqual(term.right);
              expect(Math.abs(text.top - term.top)).toBeLessThan(2);
            } else expect(text.left).toBe(term.left);
            expect(text.right - text.left).toBeGreaterThan(140);
          }
        }
      },
      LONG_MS,
    );
  });
});

/** A notebook with one cell, which shows a sheet. */
async function notebookOfSheet(): Promise<object> {
  const bundle = await tearSheet(await sampleAnalysis())[DISPLAY]();
  const output = { output_type: "display_data", metadata: {}, data: bundle };
  const cell = {
    cell_type: "code",
    id: "sheet",
    execution_count: 1,
    metadata: {},
    source: "sheet",
    outputs: [output],
  };
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  return { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
}
