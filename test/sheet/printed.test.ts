import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyzeFactor } from "../../src/analysis/factor/analyze_factor.ts";
import { demo } from "../../src/demo/demo.ts";
import { readPrices } from "../../src/prices/read_prices.ts";
import { tearSheet } from "../../src/sheet/tear_sheet.ts";
import { describeWithBrowser, launchBrowser } from "../helpers/browser/browser.ts";
import { describeWithPoppler } from "../helpers/needs_poppler.ts";

const LONG_MS = 240_000;
const A4_POINTS = 842;

/** The lines of a page, by their lower edge in points. */
interface PrintedPage {
  readonly text: string;
  readonly lowest: number;
}

describeWithPoppler("read by Poppler", () => {
  describeWithBrowser("the sheet of the demo world, printed by Chromium", () => {
    let folder: string;
    let pages: readonly PrintedPage[];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "scoreframe-printed-"));
      await printDemoSheet(folder);
      pages = readPages(join(folder, "sheet.pdf"));
    }, LONG_MS);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test("has six to eight pages of A4", () => {
      expect(pages.length).toBeGreaterThanOrEqual(6);
      expect(pages.length).toBeLessThanOrEqual(8);
      const info = execFileSync("pdfinfo", [join(folder, "sheet.pdf")], { encoding: "utf8" });
      expect(info).toMatch(/Page size: .*A4/);
    });

    test("has the number of each page on it, and how many there are", () => {
      for (const [i, { text }] of pages.entries()) {
        expect(text).toMatch(new RegExp(`(^|\\s)${i + 1} / ${pages.length}(\\s|$)`));
      }
    });

    test("no page but the last ends above its middle", () => {
      for (const [i, { lowest }] of pages.slice(0, -1).entries()) {
        expect(lowest, `page ${i + 1}`).toBeGreaterThan(A4_POINTS / 2);
      }
    });
  });
});

async function printDemoSheet(folder: string): Promise<void> {
  const api = await demo({ folder: join(folder, "demo") });
  const prices = await readPrices(join(folder, "demo/closes.csv"));
  const analysis = await analyzeFactor(await api.history("ecpnd"), prices, { progress: false });
  await api.close();
  await tearSheet(analysis).save(join(folder, "sheet.html"));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, "sheet.html")).href);
    await page.pdf({ path: join(folder, "sheet.pdf"), preferCSSPageSize: true });
  } finally {
    await browser.close();
  }
}

/** The pages of a PDF, without the line of the page's number where the lowest line is looked for. */
function readPages(path: string): readonly PrintedPage[] {
  const boxes = execFileSync("pdftotext", ["-bbox-layout", path, "-"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return boxes.split("<page ").slice(1).map((page) => {
    const words = [...page.matchAll(/<word [^>]*yMax="([\d.]+)">([^<]*)</g)]
      .map(([, low, text]) => ({ low: Number(low), text: text! }));
    const text = words.map((word) => word.text).join(" ");
    return { text, lowest: Math.max(...words.map(({ low }) => low).filter((low) => low < 805)) };
  });
}
