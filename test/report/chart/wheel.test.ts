import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pl from "nodejs-polars";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plot } from "../../../src/report/chart/mod.ts";
import { describeWithBrowser, launchBrowser } from "../../helpers/browser/browser.ts";

describeWithBrowser("the wheel over a chart", () => {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-wheel-"));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("scrolls the page, and zooms with Ctrl or ⌘", async () => {
    const path = join(folder, "points.html");
    await plot(pl.DataFrame({ x: [1.5, 2, 3], y: [1, 2, 3] }), { x: "x", y: "y" }).save(path);
    const page = await browser.newPage({ viewport: { width: 800, height: 300 } });
    await page.goto(pathToFileURL(path).href);
    await page.waitForSelector("#chart .wide > div > svg");
    const texts = () => page.evaluate(`document.querySelector("#chart svg").textContent`);
    const before = await texts();
    await page.mouse.move(300, 150);
    await page.mouse.wheel(0, 60);
    await page.waitForFunction("scrollY > 0");
    expect(await texts()).toBe(before);
    await page.evaluate("scrollTo(0, 0)");
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -240);
    await page.waitForFunction(
      `document.querySelector("#chart svg").textContent !== ${JSON.stringify(before)}`,
    );
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.keyboard.up("Control");
    expect(await page.innerText("main")).toContain("Ctrl or ⌘ and the wheel zoom");
    await page.close();
  });
});
