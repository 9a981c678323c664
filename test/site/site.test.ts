// @heavy: a browser
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readApi } from "../../.ci/site/api_doc.ts";
import { axeViolations } from "../helpers/browser/axe.ts";
import { complaintsOf, describeWithBrowser, launchBrowser } from "../helpers/browser/browser.ts";
import { notebookNames } from "../helpers/jupyter/notebook_files.ts";
import { documents } from "../helpers/source/documents.ts";
import { ROOT } from "../helpers/source_files.ts";

const run = promisify(execFile);
const LONG_MS = 900_000;

let folder: string;
let files: ReadonlyMap<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-site-"));
  // Examples import the library by its name, which Deno knows and the runner of tests does not.
  await run(Deno.execPath(), ["run", "-A", ".ci/site/build.ts", "--out", folder], { cwd: ROOT });
  const paths = (await readdir(folder, { recursive: true })).filter((path) => /\.\w+$/.test(path));
  files = new Map(
    await Promise.all(
      paths.map(async (path) => [path, await readFile(join(folder, path), "utf8")] as const),
    ),
  );
}, LONG_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

const pagesOf = () => [...files.keys()].filter((path) => path.endsWith(".html"));
const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

describe("the site", () => {
  test("has no link that leads nowhere, and loads nothing from elsewhere", () => {
    const broken: string[] = [];
    for (const page of pagesOf()) {
      const html = files.get(page)!;
      for (const [, name, value = ""] of html.matchAll(/ (href|src)="([^"]*)"/g)) {
        if (/^(data:|mailto:)/.test(value)) continue;
        if (/^https?:/.test(value)) {
          if (name === "src") broken.push(`${page} loads ${value}`);
          continue;
        }
        const [path = "", id] = value.split("#");
        const target = path === "" ? page : relative(".", join(dirname(page), path));
        const found = files.get(target);
        if (found === undefined || id !== undefined && !idsOf(found).has(decodeURI(id))) {
          broken.push(`${page}: ${value}`);
        }
      }
    }
    expect(broken).toEqual([]);
    expect(files.get("assets/site.css")).not.toMatch(/url\(|@import/);
  });

  test("gives every id of a page once", () => {
    const twice = pagesOf().flatMap((page) => {
      const ids = [...files.get(page)!.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
      return ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${page}: ${id}`);
    });
    expect(twice).toEqual([]);
  });

  test("has a page for every guide and every notebook, reached from every page", async () => {
    const guides = (await documents()).map(({ path }) => path)
      .filter((path) => path.startsWith("docs/"))
      .map((path) => path.replace("docs/", "guides/").replace(".md", ".html"));
    const notebooks = ["notebooks/00_quickstart.html", "notebooks/03_factor_analysis.html"];
    const index = files.get("index.html")!;
    for (const path of [...guides, ...notebooks]) expect(index).toContain(`href="${path}"`);
    expect(files.get("notebooks/02_history_release.html")).toContain("data:image/png;base64,");
  });

  test("documents every symbol that an entry point exports", async () => {
    const { symbols } = await readApi("src/report/chart/mod.ts");
    const page = files.get("reference/scoreframe-chart.html")!;
    expect(symbols.length).toBeGreaterThan(25);
    for (const { name } of symbols) expect(page).toContain(`<h3 id="${name}">`);
    expect(page).toContain("Draws the IC of each session as a point");
    expect(page).not.toContain("{@link");
  });

  test("shows each chart function with the picture and the code that drew it", async () => {
    const { symbols } = await readApi("src/report/chart/mod.ts");
    const names = symbols.filter(({ declarations }) => declarations[0]?.kind === "function")
      .map(({ name }) => name);
    const gallery = files.get("gallery.html")!;
    const cards = gallery.split('<section class="card">').slice(1);
    const shown = cards.map((card) => /<h2 id="(\w+)"/.exec(card)![1]);
    expect(shown.toSorted()).toEqual(names.toSorted());
    for (const card of cards) {
      expect(card).toContain("<svg ");
      expect(card).toContain('<pre class="code"');
    }
  });

  test("shows each of them on the page about charts, with a link to the code", () => {
    const [, strip = ""] = files.get("guides/charts.html")!.split('<div class="pictures">');
    const ids = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, id]) => id);
    expect(ids(strip, /<a href="\.\.\/gallery\.html#(\w+)"><span>/g))
      .toEqual(ids(files.get("gallery.html")!, /<h2 id="(\w+)"/g));
    expect(strip.match(/<span class="chart"><svg /g)).toHaveLength(
      strip.match(/<a href="\.\.\/gallery\.html#\w+"><span>/g)!.length,
    );
  });

  test("holds a whole tear sheet", () => {
    expect(files.get("sheet.html")).toContain("Synthetic");
    expect(files.get("compare.html")).toContain("Side by side");
  });
});

describeWithBrowser("the site in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, LONG_MS);
  afterAll(() => browser.close());

  const open = async (page: Page, path: string) => {
    await page.goto(pathToFileURL(join(folder, path)).href);
  };
  const overflow = "document.documentElement.scrollWidth - innerWidth";

  // Opening a page is mostly waiting.
  test.concurrent.each([["light", [390, 1400]], ["dark", [800]]] as const)(
    "opens from a disk without a complaint, no wider than the screen: %s, %j px",
    async (colorScheme, widths) => {
      const page = await browser.newPage({ colorScheme });
      const complaints = complaintsOf(page);
      const wide: string[] = [];
      for (const path of pagesOf()) {
        await page.setViewportSize({ width: widths[0], height: 900 });
        await open(page, path);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          if (await page.evaluate<number>(overflow) > 0) wide.push(`${path} at ${width}`);
        }
      }
      await page.close();
      expect(complaints).toEqual([]);
      expect(wide).toEqual([]);
    },
    LONG_MS,
  );

  // One page of each kind, and all notebooks, whose outputs differ. Sheets have a test of their own: test/report/sheet/accessible.test.ts.
  test.each([
    "index.html",
    "gallery.html",
    "guides/relay.html",
    "guides/install.html",
    "reference/scoreframe-chart.html",
    "source/src-analysis-dense-rank-orders.ts.html",
    ...notebookNames.map((name) => `notebooks/${basename(name, ".ipynb")}.html`),
  ])("%s has no violation by axe-core, in both themes and at three widths", async (path) => {
    expect(await axeViolations(browser, pathToFileURL(join(folder, path)).href)).toEqual([]);
  }, LONG_MS);

  test("finds functions and sections, and leads there", async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await open(page, "guides/views.html");
    await page.fill("#search", "icChart");
    await page.waitForSelector("#found a");
    await page.press("#search", "Enter");
    await page.waitForURL(/scoreframe-chart\.html#icChart$|gallery\.html#icChart$/);
    await page.fill("#search", "qqzzxx");
    await page.waitForSelector("#found .none");
    expect(complaints).toEqual([]);
    await page.close();
  }, LONG_MS);

  test("keeps the ground that the reader chose", async () => {
    const page = await browser.newPage({ colorScheme: "light" });
    const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    await open(page, "index.html");
    expect(await ground()).toBe("rgb(255, 255, 255)");
    await page.click("#theme");
    expect(await ground()).toBe("rgb(17, 17, 17)");
    await open(page, "gallery.html");
    expect(await ground()).toBe("rgb(17, 17, 17)");
    await page.close();
  }, LONG_MS);

  test("draws a chart that moves where one asks for it", async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await open(page, "gallery.html");
    const card = page.locator('.card:has(h2[id="icChart"])');
    await card.locator("button.move").click();
    const drawn = card.locator(".chart [role=graphics-document]");
    await drawn.locator("path").nth(100).waitFor();
    const point = drawn.locator(".mark-symbol path").nth(7);
    await point.hover({ force: true });
    await expect.poll(() => drawn.getAttribute("title")).toMatch(/session: 20\d\d-\d\d-\d\d/);
    expect(complaints).toEqual([]);
    await page.close();
  }, LONG_MS);
});
