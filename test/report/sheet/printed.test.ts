// @heavy: a browser
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { demo } from "../../../src/app/demo/demo.ts";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";
import { describeWithPoppler } from "../../helpers/needs_poppler.ts";

const LONG_MS = 240_000;

describeWithPoppler("read by Poppler", () => {
  describeWithBrowser("the sheet of the demo world, printed by Chromium", () => {
    let folder: string;
    let pages: readonly string[];
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "scoreframe-printed-"));
      await printDemoSheet(folder);
      pages = readPages(join(folder, "sheet.pdf"));
    }, LONG_MS);
    afterAll(() => rm(folder, { recursive: true, force: true }));

    test("has at most four pages of A4", () => {
      expect(pages.length).toBeLessThanOrEqual(4);
      const info = execFileSync("pdfinfo", [join(folder, "sheet.pdf")], { encoding: "utf8" });
      expect(info).toMatch(/Page size: .*A4/);
    });

    test(
      "has no letters under 6.6 points on paper, and none under 9 pixels on a telephone",
      async () => {
        const path = join(folder, "sheet.html");
        // A4 within its margins, at 96 pixels an inch.
        const paper = await lettersOf(path, { media: "print", width: 710 });
        expect(paper.filter(({ px }) => 0.75 * px < 6.6)).toEqual([]);
        const telephone = await lettersOf(path, { media: "screen", width: 390 });
        expect(telephone.filter(({ px }) => px < 8.99)).toEqual([]);
        expect(paper.length).toBeGreaterThan(300);
        expect(telephone.length).toBeGreaterThan(300);
      },
      LONG_MS,
    );

    test("has the number of each page on it, and how many there are", () => {
      for (const [i, text] of pages.entries()) {
        expect(text).toMatch(new RegExp(`(^|\\s)${i + 1} ?/ ?${pages.length}(\\s|$)`));
      }
    });

    test("has no page of which half is empty, and no gap of a fifth of a page before its end", async () => {
      const inks = await inkOfPages(folder);
      expect(inks).toHaveLength(pages.length);
      for (const [i, { filled, gap }] of inks.entries()) {
        const isLast = i === inks.length - 1;
        expect(filled, `page ${i + 1}`).toBeGreaterThan(0.5);
        expect(gap, `page ${i + 1}`).toBeLessThan(isLast ? 0.5 : 0.2);
      }
    });

    test("would be found with an empty half, if each part began on a page of its own", async () => {
      const apart = join(folder, "apart");
      await mkdir(apart);
      const css = ".scoreframe-sheet h2 { break-before: page; }";
      await print(join(folder, "sheet.html"), { to: join(apart, "sheet.pdf"), css });
      const inks = await inkOfPages(apart);
      expect(inks.some(({ filled, gap }) => filled < 0.5 && gap > 0.4)).toBe(true);
    }, LONG_MS);
  });
});

async function printDemoSheet(folder: string): Promise<void> {
  const api = await demo({ folder: join(folder, "demo") });
  const prices = await readPrices(join(folder, "demo/closes.csv"));
  const analysis = await analyzeFactor(await api.history("ecpnd"), prices, { progress: false });
  await api.close();
  await tearSheet(analysis).save(join(folder, "sheet.html"));
  await print(join(folder, "sheet.html"), { to: join(folder, "sheet.pdf") });
}

async function print(path: string, { to, css }: { readonly to: string; readonly css?: string }) {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(path).href);
    if (css !== undefined) await page.addStyleTag({ content: css });
    await page.pdf({ path: to, preferCSSPageSize: true });
  } finally {
    await browser.close();
  }
}

interface Letters {
  readonly text: string;
  readonly px: number;
}

/** Texts of a page that are seen, and the size of their letters; a picture is enlarged or reduced with its letters. */
async function lettersOf(
  path: string,
  { media, width }: { readonly media: "print" | "screen"; readonly width: number },
): Promise<readonly Letters[]> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(pathToFileURL(path).href);
    await page.emulateMedia({ media });
    return await page.evaluate<readonly Letters[]>(LETTERS);
  } finally {
    await browser.close();
  }
}

// Runs in the page.
const LETTERS = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const { parentElement: parent } = walker.currentNode;
    if (text === "" || ["STYLE", "SCRIPT"].includes(parent.tagName) || parent.getBoundingClientRect().width === 0) continue;
    const svg = parent.closest("svg");
    const scale = svg === null ? 1 : svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    found.push({ text, px: scale * parseFloat(getComputedStyle(parent).fontSize) });
  }
  return found;
})()`;

/** Ink of a page. */
interface PageInk {
  /** Share of the places of a grid of 8 by 12 with ink in them. */
  readonly filled: number;
  /** Largest share of the height without ink, from one line to the next or to the end. */
  readonly gap: number;
}

const [ACROSS, DOWN] = [8, 12];
// At 36 points an inch: half an inch around the page, and the line of its number.
const [MARGIN, FOOT] = [18, 6];

async function inkOfPages(folder: string): Promise<readonly PageInk[]> {
  execFileSync("pdftoppm", ["-r", "36", "-gray", join(folder, "sheet.pdf"), join(folder, "ink")]);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".pgm")).toSorted();
  return await Promise.all(files.map(async (name) => inkOf(await readFile(join(folder, name)))));
}

/** The ink of a picture in grey (PGM): its kind, its size, 255, then a byte a pixel. */
function inkOf(bytes: Uint8Array): PageInk {
  const [head, width, height] = /^P5\s(\d+) (\d+)\s255\s/.exec(
    new TextDecoder("latin1").decode(bytes.subarray(0, 40)),
  )!;
  const grey = bytes.subarray(head.length);
  const [w, h] = [Number(width) - 2 * MARGIN, Number(height) - 2 * MARGIN - FOOT];
  const filled = new Set<number>();
  let [gap, run] = [0, 0];
  for (let y = 0; y < h; y++) {
    const from = (MARGIN + y) * Number(width) + MARGIN;
    const places = [...grey.subarray(from, from + w).keys()].filter((x) => grey[from + x]! < 250);
    run = places.length > 0 ? 0 : run + 1;
    gap = Math.max(gap, run);
    const row = Math.floor(DOWN * y / h);
    for (const x of places) filled.add(row * ACROSS + Math.floor(ACROSS * x / w));
  }
  return { filled: filled.size / (ACROSS * DOWN), gap: gap / h };
}

/** The text of each page of a PDF. */
function readPages(path: string): readonly string[] {
  const text = execFileSync("pdftotext", [path, "-"], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return text.split("\f").slice(0, -1);
}
