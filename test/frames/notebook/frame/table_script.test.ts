// @heavy: a browser
import fc from "fast-check";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pl from "nodejs-polars";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  formatFrame,
  frameBundle,
  type FrameDisplayOptions,
} from "../../../../src/frames/notebook/frame/frame_bundle.ts";
import { valueBundle } from "../../../../src/frames/notebook/value_bundle.ts";
import { axeViolations } from "../../../helpers/browser/axe.ts";
import {
  complaintsOf,
  describeWithBrowser,
  launchBrowser,
} from "../../../helpers/browser/browser.ts";

// Runs in the page: the texts of the body's rows.
const ROWS =
  `[...document.querySelectorAll("table.dataframe")].at(-1).tBodies[0].innerText.split("\\n")`;

const HTML_ROWS = `[...document.querySelectorAll("tbody tr")].map((row) => row.innerHTML)`;

describeWithBrowser("a table that one can use, in Chromium", () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-table-"));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function save(html: unknown): Promise<string> {
    const file = join(folder, `${crypto.randomUUID()}.html`);
    await writeFile(file, pageOf(String(html)));
    return pathToFileURL(file).href;
  }
  async function open(html: unknown, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(await save(html));
    return page;
  }
  const rowsOf = async (page: Page) =>
    (await page.evaluate(ROWS) as string[]).map((row) => row.replaceAll("\t", " "));
  const statusOf = (page: Page) => page.getByRole("status").innerText();

  test("shows the first and last rows, and the rest page by page", async () => {
    const page = await open(frameBundle(numbered(1234))["text/html"]);
    expect(await statusOf(page)).toBe("rows 1–5 and 1,230–1,234 of 1,234");
    expect((await rowsOf(page))[5]).toBe("… 1,224 more");
    await page.getByRole("button", { name: "Next" }).click();
    expect(await statusOf(page)).toBe("rows 1–20 of 1,234");
    expect((await rowsOf(page))[19]).toBe("T19 19");
    await page.getByRole("button", { name: "Last" }).click();
    expect(await statusOf(page)).toBe("rows 1,221–1,234 of 1,234");
    expect((await rowsOf(page)).at(-1)).toBe("T1233 1,233");
    await page.getByRole("button", { name: "Next" }).click({ force: true });
    expect(await statusOf(page)).toBe("rows 1,221–1,234 of 1,234");
    await page.getByRole("button", { name: "First" }).click();
    expect((await rowsOf(page))[5]).toBe("… 1,224 more");
  });

  test(
    "sorts by a column with the keyboard: nulls last, NaN before them, ties as they were",
    async () => {
      const x = [3, null, -10, NaN, 0, 1e-9, 3, Infinity, -Infinity, 200, 1.5, 7];
      const frame = pl.DataFrame([
        pl.Series("x", x, pl.Float64),
        pl.Series("i", x.map((_, i) => i)),
      ]);
      const page = await open(frameBundle(frame)["text/html"]);
      const order = async () => (await rowsOf(page)).map((row) => Number(row.split(" ").at(-1)));
      await page.keyboard.press("Tab");
      for (let i = 0; i < 6; i++) await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.textContent")).toBe("x");
      await page.keyboard.press("Enter");
      expect(await order()).toEqual([8, 2, 4, 5, 10, 0, 6, 11, 9, 7, 3, 1]);
      expect(await page.locator("th").first().getAttribute("aria-sort")).toBe("ascending");
      await page.keyboard.press("Space");
      expect(await order()).toEqual([7, 9, 11, 0, 6, 10, 5, 4, 2, 8, 3, 1]);
      expect(await page.locator("th").first().getAttribute("aria-sort")).toBe("descending");
      await page.keyboard.press("Enter");
      expect((await rowsOf(page))[5]).toBe("… 2 more");
      expect(await page.locator("th").first().getAttribute("aria-sort")).toBeNull();
    },
  );

  test(
    "sorts 64-bit integers as numbers, texts by their letters and instants by time",
    async () => {
      const frame = numbered(12).withColumns(
        pl.col("x").mul(pl.lit(-1)).cast(pl.Int64).alias("n"),
        pl.col("x").mul(pl.lit(-86_400_000)).cast(pl.Datetime("ms", "UTC")).alias("at"),
      );
      const page = await open(frameBundle(frame)["text/html"]);
      for (const [name, first] of [["n", "T11"], ["at", "T11"], ["ticker", "T0"]] as const) {
        await page.getByRole("button", { name, exact: true }).click();
        expect((await rowsOf(page))[0]).toMatch(new RegExp(`^${first} `));
      }
      expect((await rowsOf(page)).map((row) => row.split(" ")[0]).slice(0, 4))
        .toEqual(["T0", "T1", "T10", "T11"]);
    },
  );

  test("finds rows by a part of a text or of a number", async () => {
    const page = await open(frameBundle(numbered(1234))["text/html"]);
    await page.getByRole("searchbox").fill("t123");
    expect(await statusOf(page)).toBe("rows 1–5 of 5 found");
    expect(await rowsOf(page)).toEqual([
      "T123 123",
      ...["T1230 1,230", "T1231 1,231", "T1232 1,232", "T1233 1,233"],
    ]);
    await page.getByRole("button", { name: "x", exact: true }).dblclick();
    expect((await rowsOf(page))[0]).toBe("T1233 1,233");
    await page.getByRole("searchbox").fill("no such");
    expect(await statusOf(page)).toBe("no row found");
    await page.getByRole("searchbox").fill("");
    expect(await statusOf(page)).toBe("rows 1–20 of 1,234");
  });

  test("says where it holds only a part of the rows", async () => {
    const page = await open(frameBundle(numbered(230_000), { heldRows: 100 })["text/html"]);
    const words = await page.locator(".scoreframe-tools").innerText();
    expect(words).toContain(
      "100 of 230,000 rows (the first and last ones) can be sorted, searched and paged",
    );
    for (const _ of [1, 2, 3]) await page.getByRole("button", { name: "Next" }).click();
    expect(await statusOf(page)).toBe("rows 41–229,960 of 230,000");
    expect((await rowsOf(page))[10]).toBe("… 229,900 rows not held");
    await page.getByRole("button", { name: "x", exact: true }).click();
    expect(await statusOf(page)).toBe("rows 1–20 of 100 held");
  });

  test("writes each number as the table without a script does", async () => {
    const numbers = fc.sample(
      fc.oneof(fc.double(), fc.float(), fc.integer(), fc.constantFrom(null, 0, -0, 1e15, 5e-5)),
      { numRuns: 400, seed: 22 },
    );
    const column = (name: string, scale: number) => {
      const isKept = (value: number | null) => value === null || Math.abs(value) < 1e4;
      const x = numbers.map((value) => isKept(value) ? value : Math.sin(value!) * scale);
      return pl.Series(name, scale === 1 ? numbers : x, pl.Float64);
    };
    const frame = pl.DataFrame([column("wide", 1), column("a", 1e-3), column("year", 1e-7)]);
    const page = await open(frameBundle(frame)["text/html"]);
    const shown: string[] = [];
    for (let i = 0; i < 20; i++) {
      await page.getByRole("button", { name: "Next" }).click();
      shown.push(...await rowsOf(page));
    }
    const lines = formatFrame(frame, { edgeRows: Infinity }).split("\n").slice(3);
    expect(shown).toEqual(lines.map((text) => text.trim().replaceAll(/ +/g, " ")));
  });

  test("keeps the gap between columns, captions, and what tells values apart", async () => {
    const wide = Array.from({ length: 14 }, (_, i) => [`c${i}`, Array(30).fill(i)]);
    const page = await open(frameBundle(pl.DataFrame(Object.fromEntries(wide)))["text/html"]);
    await page.getByRole("button", { name: "c13" }).click();
    expect((await rowsOf(page))[0]).toBe("0 1 2 3 4 5 … 8 9 10 11 12 13");
    const values = pl.DataFrame([
      pl.Series("t", ["", "null", ...Array(10).fill("a"), null], pl.Utf8),
      pl.Series("x", [NaN, 0, ...Array(10).fill(1), null], pl.Float64),
    ]);
    const apart = await open(frameBundle(values)["text/html"]);
    await apart.getByRole("button", { name: "t", exact: true }).click();
    const rows = await apart.evaluate(HTML_ROWS) as string[];
    const cells = rows.map((row) => row.replaceAll(/ (style|title)="[^"]*"/g, ""));
    expect([cells[0], cells[11], cells[12]]).toEqual([
      '<td>""</td><td><b>NaN</b></td>',
      '<td>"null"</td><td>0</td>',
      "<td><em>null</em></td><td><em>null</em></td>",
    ]);
  });

  test("runs no script of a hostile cell, asks no network, and complains of nothing", async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    const address = await save(frameBundle(hostileFrame(), { maxTextLength: 500 })["text/html"]);
    await page.goto(address);
    await page.getByRole("button", { name: "Next" }).click();
    for (const button of await page.locator("th button").all()) await button.click();
    await page.getByRole("searchbox").fill("script");
    expect((await rowsOf(page)).join("")).toContain("</script><script>attacked()</script>");
    expect(await page.evaluate("globalThis.attacks")).toBe(0);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([address]);
    await context.close();
  });

  test("stays the table that it was where scripts do not run", async () => {
    const options: FrameDisplayOptions = { heldRows: 0 };
    const html = (more?: FrameDisplayOptions) => frameBundle(numbered(50), more)["text/html"];
    const bare = { javaScriptEnabled: false };
    const [now, before] = [await open(html(), bare), await open(html(options), bare)];
    const picture = await now.screenshot();
    expect(picture.equals(await before.screenshot())).toBe(true);
  });

  test("shows several tables of an output with one script", async () => {
    const { "text/html": html } = (await valueBundle({ a: numbered(30), b: numbered(40) }))!;
    expect(String(html).split("<script>").length).toBe(2);
    const page = await open(html);
    expect(await page.getByRole("status").allInnerTexts()).toEqual([
      "rows 1–5 and 26–30 of 30",
      "rows 1–5 and 36–40 of 40",
    ]);
    await page.getByRole("button", { name: "Last" }).last().click();
    expect(await page.getByRole("status").allInnerTexts()).toEqual([
      "rows 1–5 and 26–30 of 30",
      "rows 21–40 of 40",
    ]);
  });

  test("breaks no rule of axe-core in both themes at each width", async () => {
    const wide = numbered(5000).withColumns(
      ...["status", "factor"].map((name) => pl.lit("synthetic").alias(name)),
      ...Array.from({ length: 9 }, (_, i) => pl.lit("long text ".repeat(3)).alias(`column_${i}`)),
      pl.lit("store, synthetic").alias("source"),
      pl.when(pl.col("x").gt(2)).then(pl.lit(null)).otherwise(pl.lit(NaN)).alias("y"),
    );
    const html = [wide, numbered(30)].map((frame) => frameBundle(frame)["text/html"]).join("\n");
    expect(await axeViolations(browser, await save(html))).toEqual([]);
  });
});

function pageOf(html: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A frame</title>
<style>body { background: #fff; color: #222; font-family: sans-serif; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }</style>
<script>globalThis.attacks = 0; globalThis.attacked = () => globalThis.attacks++;</script></head>
<body><main><h1>A frame</h1>${html}</main></body></html>`;
}

function numbered(count: number): pl.DataFrame {
  const x = Float64Array.from({ length: count }, (_, i) => i);
  return pl.DataFrame([
    pl.Series("ticker", Array.from(x, (i) => `T${i}`), pl.Utf8),
    pl.Series("x", x, pl.Float64),
  ]);
}

const ATTACKS = [
  "</script><script>attacked()</script>",
  "<img src=x onerror=attacked()>",
  '" onmouseover="attacked()" x="',
  "<!--<script>attacked()",
  "</td></table><svg onload=attacked()>",
  "javascript:attacked()",
  "${attacked()}`${attacked()}",
  "\u2028attacked()\u2029",
  "]]><iframe srcdoc='<script>parent.attacked()</script>'>",
];

function hostileFrame(): pl.DataFrame {
  const texts = Array.from({ length: 30 }, (_, i) => ATTACKS[i % ATTACKS.length]!);
  const columns = ATTACKS.slice(0, 5).map((name) => pl.Series(name, texts, pl.Utf8));
  return pl.DataFrame([...columns, pl.Series("", texts, pl.Utf8)]);
}
