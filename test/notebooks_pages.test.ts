// @heavy: a Jupyter kernel
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { complaintsOf, describeWithBrowser, launchBrowser } from "./helpers/browser/browser.ts";
import { startJupyter, type TestJupyter } from "./helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "./helpers/jupyter/needs_jupyter.ts";
import {
  codeCells,
  notebookNames,
  NOTEBOOKS,
  readNotebook,
} from "./helpers/jupyter/notebook_files.ts";
import { ROOT } from "./helpers/source_files.ts";

const LONG_MS = 900_000;
const TEMPLATES = ["classic", "lab"] as const;

// One process for all pages. Libraries that the templates take from the network, and no output of ours needs, are left out.
const CONVERT = `
import sys, os, warnings
warnings.filterwarnings("ignore")
from nbconvert import HTMLExporter
nothing = "data:text/javascript,"
folder, *paths = sys.argv[1:]
for template in ("classic", "lab"):
    exporter = HTMLExporter(template_name=template, require_js_url=nothing, jquery_url=nothing, mathjax_url=nothing)
    for path in paths:
        html, _ = exporter.from_filename(path)
        name = os.path.basename(path).replace(".ipynb", f"-{template}.html")
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(html)
`;

await describeWithJupyter("notebooks as pages", () => {
  describeWithBrowser("in Chromium", () => {
    let jupyter: TestJupyter;
    let browser: Browser;
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "scoreframe-pages-"));
      jupyter = await startJupyter();
      await jupyter.python(CONVERT, [
        folder,
        ...notebookNames.map((name) => join(NOTEBOOKS, name)),
      ]);
      browser = await launchBrowser();
    }, LONG_MS);
    afterAll(async () => {
      await browser?.close();
      await jupyter?.[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    }, LONG_MS);

    test.each(
      notebookNames.flatMap((name) => TEMPLATES.map((template) => [name, template] as const)),
    )(
      "notebooks/%s draws every figure and table in the template %s, and the console is silent",
      async (name, template) => {
        const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
        const complaints = complaintsOf(page);
        const file = join(folder, basename(name).replace(".ipynb", `-${template}.html`));
        await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
        const drawn = await drawnOn(page);
        // The template lab of Debian's nbconvert (6.5) has no alternative texts.
        const wordless = await page.locator("img:not([alt])").count();
        if (template === "classic") expect(wordless).toBe(0);
        await page.close();
        expect(complaints).toEqual([]);
        expect(drawn.empty).toEqual([]);
        expect(drawn.cut).toEqual([]);
        expect({ figures: drawn.figures, tables: drawn.tables }).toEqual(await countOutputs(name));
      },
      LONG_MS,
    );
  });
});

/** What the outputs of a page show. */
interface Drawn {
  readonly figures: number;
  readonly tables: number;
  /** Figures and tables that show nothing. */
  readonly empty: readonly string[];
  /** Figures and words that reach beyond their place, and tables that nothing scrolls to. */
  readonly cut: readonly string[];
}

async function countOutputs(name: string): Promise<Pick<Drawn, "figures" | "tables">> {
  const outputs = codeCells(await readNotebook(name)).flatMap((cell) => cell.outputs ?? []);
  let [figures, tables] = [0, 0];
  for (const { data = {} } of outputs) {
    const html = [data["text/html"] ?? ""].flat().join("");
    tables += html.split("<table").length - 1;
    // Of an output that is both, a page shows the HTML.
    if (html !== "") figures += html.split(/<svg|<img/).length - 1;
    else if (data["image/png"] !== undefined) figures++;
  }
  return { figures, tables };
}

async function drawnOn(page: Page): Promise<Drawn> {
  return await page.evaluate(
    await readFile(join(ROOT, "test/helpers/browser/drawn_outputs.js"), "utf8"),
  ) as Drawn;
}
