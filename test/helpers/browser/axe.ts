import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { ROOT } from "../source_files.ts";

/** Widths of a telephone, a tablet and a screen. */
const WIDTHS = [390, 800, 1400];
const THEMES = ["light", "dark"] as const;

// The nodes that pass are megabytes, and take longer to send than to find.
const RUN = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)`;

/** Looks of a page that are examined. */
export interface AxePlan {
  readonly widths?: readonly number[];
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly {
    readonly target: readonly string[];
    readonly failureSummary?: string;
  }[];
}

/** What axe-core finds wrong with a page in both themes and at each width, one line for each rule that is broken. */
export async function axeViolations(
  browser: Browser,
  url: string,
  { widths = WIDTHS }: AxePlan = {},
): Promise<readonly string[]> {
  const axe = await readFile(join(ROOT, "node_modules/axe-core/axe.min.js"), "utf8");
  const found: string[] = [];
  for (const colorScheme of THEMES) {
    // The policy of a page would keep axe itself out.
    const context = await browser.newContext({ colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(url);
    await page.evaluate(axe);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const violations = await page.evaluate(RUN) as readonly Violation[];
      for (const { id, nodes } of violations) {
        const first = nodes[0]!;
        found.push(
          `${colorScheme} ${width}: ${id}, ${nodes.length} times, ${first.target.join(" ")}: ${
            first.failureSummary?.replaceAll(/\s+/g, " ").slice(0, 200)
          }`,
        );
      }
    }
    await context.close();
  }
  return found;
}
