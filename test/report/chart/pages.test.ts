// @heavy: a browser
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { Chart } from "../../../src/report/chart/mod.ts";
import { complaintsOf, describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";
import { OF_AN_ANALYSIS, OF_OTHERS } from "./_sample_charts.ts";

const CHARTS: Readonly<Record<string, (analysis: FactorAnalysis) => Chart>> = {
  ...OF_AN_ANALYSIS,
  ...OF_OTHERS,
};

// Runs in the page: the width that is cut, and the smallest text that is seen.
const LOOK = `({
  cut: document.documentElement.scrollWidth - innerWidth,
  pictures: [...document.querySelectorAll("svg")].filter((svg) => svg.getBoundingClientRect().width > 0).length,
  letters: Math.min(...[...document.querySelectorAll("svg")].map((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)
    .filter((scale) => scale > 0)) * 10,
})`;

// Runs in the page: the middle of the first mark that has a tooltip.
const MARK = `(() => {
  const cells = document.querySelectorAll("#chart [class*=voronoi] path");
  const mark = [...cells.length > 0 ? cells : document.querySelectorAll("#chart path")]
    .find((one) => one.getClientRects().length > 0 && one.__data__?.tooltip);
  const box = mark?.getBoundingClientRect();
  return box === undefined ? null : { x: box.left + box.width / 2, y: box.top + box.height / 2 };
})()`;

interface Look {
  readonly cut: number;
  readonly pictures: number;
  readonly letters: number;
}

describeWithBrowser("a chart as a page", () => {
  let folder: string;
  let browser: Browser;
  let analysis: FactorAnalysis;
  const url = (name: string) => pathToFileURL(join(folder, `${name}.html`)).href;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-pages-"));
    [browser, analysis] = await Promise.all([launchBrowser(), sampleAnalysis()]);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("is as a file of SVG black on a light page and white on a dark one", async () => {
    const path = join(folder, "ic.svg");
    await CHARTS["ic"]!(analysis).save(path);
    const inks = await Promise.all((["light", "dark"] as const).map(async (colorScheme) => {
      const page = await browser.newPage({ colorScheme });
      await page.goto(pathToFileURL(path).href);
      const fills = await page.evaluate<readonly string[]>(
        `[...document.querySelectorAll("text")].map((text) => getComputedStyle(text).fill)`,
      );
      await page.close();
      return [...new Set(fills)];
    }));
    expect(inks).toEqual([["rgb(34, 34, 34)"], ["rgb(221, 221, 221)"]]);
  });

  test.each(Object.keys(CHARTS))(
    "%s is as wide as the screen at 390, 800 and 1400 px, and its letters can be read",
    async (name) => {
      await CHARTS[name]!(analysis).save(join(folder, `${name}.html`), { interactive: false });
      const page = await browser.newPage();
      await page.goto(url(name));
      for (const width of [390, 800, 1400]) {
        await page.setViewportSize({ width, height: 900 });
        const { cut, pictures, letters } = await page.evaluate<Look>(LOOK);
        expect({ width, cut, pictures }).toEqual({ width, cut: 0, pictures: 1 });
        expect(letters, `${width} px`).toBeGreaterThanOrEqual(8);
      }
      await page.close();
    },
  );

  test.each(Object.keys(CHARTS))(
    "%s tells its numbers at the arrow keys and at the pointer, without a network",
    async (name) => {
      const chart = CHARTS[name]!(analysis);
      await chart.save(join(folder, `${name}-told.html`));
      const context = await browser.newContext({ offline: true });
      const page = await context.newPage();
      await page.goto(url(`${name}-told`));
      await page.waitForSelector('[data-drawn="yes"] > div svg');
      const numbers = page.getByRole("status");
      await page.locator("#chart").focus();
      await page.keyboard.press("ArrowRight");
      expect(await numbers.textContent()).toMatch(/\d/);
      const first = await numbers.textContent();
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Escape");
      expect(await numbers.isVisible()).toBe(false);
      // The pointer over the marks that the keys have reached.
      const at = await page.evaluate<{ readonly x: number; readonly y: number } | null>(MARK);
      await page.mouse.move(at!.x, at!.y);
      await page.mouse.move(at!.x + 1, at!.y);
      expect(await numbers.textContent(), first ?? "").toMatch(/\d/);
      await context.close();
    },
  );

  test("moves where scripts run, on a telephone and on a screen that becomes wide", async () => {
    await OF_AN_ANALYSIS.ic(analysis).save(join(folder, "moving.html"));
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    const complaints = complaintsOf(page);
    await page.goto(url("moving"));
    await page.waitForSelector('.narrow[data-drawn="yes"] > div svg');
    expect(await page.locator(".wide").isVisible()).toBe(false);
    await page.setViewportSize({ width: 1000, height: 800 });
    await page.waitForSelector('.wide[data-drawn="yes"] > div svg');
    expect(await page.locator(".narrow").isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("shows the colours of its legend where scripts run on a telephone", async () => {
    await OF_AN_ANALYSIS.ic_month(analysis).save(join(folder, "legend.html"));
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(url("legend"));
    await page.waitForSelector('.narrow[data-drawn="yes"] > div svg');
    // Each colour that is referred to is the only one of its name, and stands in a picture that is seen.
    const owners = await page.evaluate(
      `[...document.querySelectorAll(".narrow [fill*='#gradient_']")]
      .map((mark) => document.querySelectorAll(/#[^)"]+/.exec(mark.getAttribute("fill"))[0]))
      .map((found) => [found.length, found[0]?.closest(".narrow") !== null])`,
    );
    expect(owners).toEqual([[1, true]]);
    await page.close();
  });

  test("of one's own gets a narrower view, and keeps a small one", async () => {
    const view = {
      data: { values: [{ x: 1, y: 2 }, { x: 2, y: 3 }] },
      mark: "bar",
      encoding: { x: { field: "x" }, y: { field: "y", type: "quantitative" } },
    } as const;
    const pageOf = (spec: ConstructorParameters<typeof Chart>[0]) =>
      new Chart(spec, { description: "Two bars" }).toHtml({ interactive: false });
    expect((await pageOf({ ...view, width: 800 })).match(/<svg /g)).toHaveLength(2);
    expect((await pageOf({ ...view, width: 200 })).match(/<svg /g)).toHaveLength(1);
  });
});
