/**
 * Draws the pictures of the README into `docs/pictures`: `deno task generate pictures`. A chart is drawn by the library, a tear sheet
 * is photographed in Chromium. A test fails while they are not in step with what they show.
 *
 * @module
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findBrowser } from "../test/helpers/browser/browser_path.ts";
import { ROOT } from "../test/helpers/source_files.ts";
import { pictured, PICTURES } from "./site/pictures.ts";

const VIEW = { width: 1040, height: 1180 };
const SCALE = 1.5;

const path = findBrowser();
if (path === null) throw new Error("Cannot draw the pictures: Chromium is required");
const { chart, sheet, drawn } = await pictured();
await mkdir(PICTURES, { recursive: true });
// The grounds of GitHub's pages.
for (const [look, background] of [["light", "white"], ["dark", "#0d1117"]] as const) {
  await writeFile(join(PICTURES, `ic_${look}.png`), await chart.toPng({ background }));
}
await photograph(path);
await writeFile(join(PICTURES, "drawn.json"), `${JSON.stringify(drawn, null, 2)}\n`);
await writeWords();

/** Gives the chart its words, wherever a document shows it. */
async function writeWords(): Promise<void> {
  for (const path of ["README.md", "docs/charts.md"].map((name) => join(ROOT, name))) {
    const text = await readFile(path, "utf8");
    const words = (start: string) => `${start}alt="${chart.description}"`;
    await writeFile(
      path,
      text.replace(/(pictures\/ic_light\.png"[^>]*?)alt="[^"]*"/, (_, start) => words(start)),
    );
  }
}

async function photograph(executablePath: string): Promise<void> {
  const { chromium } = await import("playwright-core");
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-pictures-"));
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const file = join(folder, "sheet.html");
    await sheet.save(file);
    for (const colorScheme of ["light", "dark"] as const) {
      const options = { viewport: VIEW, deviceScaleFactor: SCALE, colorScheme };
      const page = await browser.newPage(options);
      await page.goto(pathToFileURL(file).href);
      await page.screenshot({ path: join(PICTURES, `sheet_${colorScheme}.png`) });
      await page.close();
    }
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}
