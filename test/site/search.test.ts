import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readApi } from "../../.ci/site/api_doc.ts";
import { referencePage } from "../../.ci/site/reference_page.ts";
import { renderMarkdown } from "../../.ci/site/render_markdown.ts";
import { searchEntries, type SearchEntry } from "../../.ci/site/search_index.ts";
import type { SitePage } from "../../.ci/site/site_page.ts";
import { ROOT } from "../helpers/source_files.ts";

type Rank = (row: readonly string[], words: readonly string[]) => number;

const module = await readApi("src/analysis/mod.ts");
const reference = referencePage(
  { specifier: "scoreframe/analysis", path: "src/analysis/mod.ts", module },
  new Map(),
);
const guides = await Promise.all(["analysis", "costs", "views"].map(guide));
const entries = searchEntries([...guides, reference]);
const rank = await rankOfSite();

async function guide(name: string): Promise<SitePage> {
  const text = await readFile(join(ROOT, "docs", `${name}.md`), "utf8");
  const { html, headings } = renderMarkdown(text, { link: (href) => href });
  return { path: `guides/${name}.html`, title: name, part: "Guides", body: html, headings };
}

/** How the script of the site ranks, which is no module. */
async function rankOfSite(): Promise<Rank> {
  const script = await readFile(join(ROOT, ".ci/site/assets/site.js"), "utf8");
  const [code] = /^function rank\([\s\S]*?^}/m.exec(script)!;
  return new Function(`${code}\nreturn rank;`)();
}

/** The first of what is found. */
function found(query: string): readonly string[] {
  const words = query.toLowerCase().split(/\s+/);
  const sum = ({ page, text, url, excerpt, words: body }: SearchEntry) =>
    rank([page, text, url, excerpt, body], words);
  return entries.map((entry) => [sum(entry), entry.url, entry.text] as const)
    .filter(([points]) => points > 0).toSorted((a, b) => b[0] - a[0]).slice(0, 12)
    .map(([, url, text]) => `${url} ${text}`);
}

test.each([
  ["an option", "oneWayBps", "AnalyzeFactorOptions.oneWayBps"],
  ["an option that an interface takes over", "maxAgeSessions", "AlignOptions.maxAgeSessions"],
  ["a member of a result", "quantileReturns", "FactorAnalysis.quantileReturns"],
  [
    "a function before all that mentions it",
    "informationSummary",
    "#informationSummary informationSummary",
  ],
  ["a phrase of a guide", "transaction costs", "guides/analysis.html#holding-and-costs"],
  ["another phrase", "rate limit", "guides/costs.html"],
])("the search of the site finds %s", (_what, query, expected) => {
  expect(found(query).some((line) => line.includes(expected)), found(query).join("\n")).toBe(true);
});

test("a phrase stands before the same words apart, and what is nowhere is not found", () => {
  expect(found("transaction costs")[0]).toContain("guides/analysis.html");
  expect(found("no such words")).toEqual([]);
});
