import process from "node:process";
import type { Browser, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findBrowser } from "./browser_path.ts";

const MISSING =
  "Chromium is required: apt-get install chromium, or name one in SCOREFRAME_CHROMIUM";

/**
 * Tests that need a browser. Where it is missing, they fail in continuous integration and are skipped elsewhere, with a line
 * that says so.
 */
export function describeWithBrowser(name: string, body: () => void): void {
  if (findBrowser() !== null) return void describe(name, body);
  if (process.env["CI"] !== undefined) {
    return void test(`${name}: Chromium is there`, () => expect.fail(MISSING));
  }
  process.stderr.write(`\nSKIPPED, ${name}. ${MISSING}\n\n`);
  describe.skip(name, body);
}

/** Starts Chromium. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { chromium } = await import("playwright-core");
  return await chromium.launch({
    executablePath: findBrowser()!,
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

/** What a page complains of from now on: lines of its console, errors, files that it could not load. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("requestfailed", (request) => complaints.push(`cannot load ${request.url()}`));
  return complaints;
}
