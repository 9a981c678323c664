import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { ROOT } from "../source_files.ts";

/** Widths of a telephone, a tablet and a screen. */
const WIDTHS = [390, 800, 1400];
const THEMES = ["light", "dark"] as const;

// The rules that read a colour. All others read the elements, and where these are.
const OF_COLOR = ["color-contrast", "link-in-text-block"];

// Runs in the page: its elements, and where each one is shown.
const LAYOUT = `JSON.stringify([
  document.documentElement.outerHTML,
  [...document.querySelectorAll("*")].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    const seen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    return [x, y, width, height, seen];
  }),
])`;

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
  const layouts = new Map<number, string>();
  for (const colorScheme of THEMES) {
    // The policy of a page would keep axe itself out.
    const context = await browser.newContext({ colorScheme, bypassCSP: true });
    const page = await context.newPage();
    await page.goto(url);
    await page.evaluate(axe);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const layout = await page.evaluate<string>(LAYOUT);
      // Where the other theme moves nothing, only the rules of colour can find something else.
      const rules = layouts.get(width) === layout ? OF_COLOR : null;
      layouts.set(width, layout);
      const violations = await page.evaluate<readonly Violation[]>(runOf(rules));
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

/** A script that runs axe-core; `null` stands for all rules. */
function runOf(rules: readonly string[] | null): string {
  // The nodes that pass are megabytes, and take longer to send than to find.
  const options = { resultTypes: ["violations"], ...(rules !== null && { runOnly: rules }) };
  return `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
}
