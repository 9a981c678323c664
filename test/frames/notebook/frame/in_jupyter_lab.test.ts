// @heavy: a Jupyter kernel
import { readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { frameBundle } from "../../../../src/frames/notebook/frame/frame_bundle.ts";
import { describeWithBrowser, launchBrowser } from "../../../helpers/browser/browser.ts";
import { describeWithLab, startLab, type TestLab } from "../../../helpers/jupyter/jupyter_lab.ts";
import { ROOT } from "../../../helpers/source_files.ts";

const LONG_MS = 300_000;

describeWithLab("a table in a cell of JupyterLab 4", () => {
  describeWithBrowser("in Chromium", () => {
    let lab: TestLab;
    let browser: Browser;
    beforeAll(async () => {
      lab = await startLab(tmpdir(), async (folder) => {
        await writeFile(join(folder, "frame.ipynb"), JSON.stringify(notebookOfFrame()));
        return ["frame.ipynb"];
      });
      browser = await launchBrowser();
    }, LONG_MS);
    afterAll(async () => {
      await browser?.close();
      await lab?.[Symbol.asyncDispose]();
    }, LONG_MS);

    test("is searched and sorted by keys that are commands of a notebook elsewhere", async () => {
      const page = await browser.newPage({ viewport: { width: 1100, height: 1000 } });
      await page.goto(lab.urlOf("frame.ipynb"));
      await page.waitForSelector(".scoreframe-tools", { timeout: LONG_MS });
      const rows = () => page.locator("table.dataframe tbody tr").allInnerTexts();
      await page.getByRole("searchbox").first().click();
      // Of these letters, d and x remove a cell, and a and b add one.
      await page.keyboard.type("adxb99");
      expect(await page.getByRole("searchbox").first().inputValue()).toBe("adxb99");
      expect((await rows()).slice(0, 2)).toEqual(["adxb99\t99", "adxb990\t990"]);
      expect(await page.locator(".jp-Notebook .jp-Cell").count()).toBe(1);
      for (let i = 0; i < 6; i++) await page.keyboard.press("Backspace");
      await page.getByRole("button", { name: "rank" }).focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Enter");
      expect((await rows()).slice(0, 2)).toEqual(["adxb999\t999", "adxb998\t998"]);
      expect(await violationsOf(page)).toEqual([]);
      await page.close();
    }, LONG_MS);
  });
});

/** Rules of axe-core that the output breaks. The page around it is JupyterLab's own. */
async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8"));
  return await page.evaluate(
    `axe.run(".scoreframe-frame").then(({ violations }) => violations.map(({ id }) => id))`,
  ) as string[];
}

function notebookOfFrame(): object {
  const rank = Array.from({ length: 1000 }, (_, i) => i);
  const frame = pl.DataFrame({ ticker: rank.map((i) => `adxb${i}`), rank });
  const cell = {
    cell_type: "code",
    id: "frame",
    execution_count: 1,
    metadata: {},
    source: "frame",
    outputs: [{ output_type: "display_data", metadata: {}, data: frameBundle(frame) }],
  };
  const kernelspec = { name: "python3", display_name: "Python 3", language: "python" };
  return { cells: [cell], metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
}
