// @heavy: a browser
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { icChart } from "../../../src/report/chart/factor/ic_chart.ts";
import { icMonthChart } from "../../../src/report/chart/factor/ic_month_chart.ts";
import { plot } from "../../../src/report/chart/mod.ts";
import { compareSheets } from "../../../src/report/sheet/compare_sheets.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { axeViolations } from "../../helpers/browser/axe.ts";
import { describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";

/** A figure as a screen reader has it. */
interface Figure {
  readonly name: string;
  readonly description: string;
  readonly caption: string;
}

// Runs in the page.
const FIGURES = `[...document.querySelectorAll("figure")].map((figure) => {
  const svg = figure.querySelector("svg");
  const words = document.getElementById(svg.getAttribute("aria-describedby"));
  return {
    name: svg.getAttribute("aria-label"),
    description: words.textContent,
    caption: figure.querySelector("figcaption").textContent,
  };
})`;

describeWithBrowser("pages by axe-core, in both themes, at 390, 800 and 1400 px", () => {
  let folder: string;
  let browser: Browser;
  let analysis: FactorAnalysis;
  const url = (name: string) => pathToFileURL(join(folder, name)).href;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-axe-"));
    [browser, analysis] = await Promise.all([launchBrowser(), sampleAnalysis()]);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test(
    "a tear sheet has no violation, and its figures are named by their titles, described once",
    async () => {
      await tearSheet(analysis).save(join(folder, "sheet.html"));
      expect(await axeViolations(browser, url("sheet.html"))).toEqual([]);
      const page = await browser.newPage();
      await page.goto(url("sheet.html"));
      const figures = await page.evaluate(FIGURES) as readonly Figure[];
      await page.close();
      expect(figures.length).toBe(8);
      for (const { name, description, caption } of figures) {
        expect(name.length).toBeGreaterThan(0);
        expect(description).toBe(caption);
        expect(description.startsWith(name)).toBe(false);
      }
    },
  );

  test("a sheet of two has no violation", async () => {
    await compareSheets([analysis, analysis], { names: ["old", "new"] }).save(
      join(folder, "both.html"),
    );
    expect(await axeViolations(browser, url("both.html"))).toEqual([]);
  });

  test("charts as pages have no violation", async () => {
    const pages = {
      "ic.html": icChart(analysis),
      "month.html": icMonthChart(analysis),
      "plot.html": plot(analysis.ic, { x: "session", y: "ic", color: "horizon" }),
    };
    for (const [name, chart] of Object.entries(pages)) {
      await chart.save(join(folder, name));
      expect(await axeViolations(browser, url(name)), name).toEqual([]);
    }
  });
});
