import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readApi } from "../../.ci/site/api_doc.ts";
import { referencePage } from "../../.ci/site/reference_page.ts";
import { renderMarkdown } from "../../.ci/site/render_markdown.ts";
import { searchEntries } from "../../.ci/site/search_index.ts";
import type { SitePage } from "../../.ci/site/site_page.ts";
import { ROOT } from "../helpers/source_files.ts";

type Answers = (index: readonly Row[], query: string) => readonly Row[];
type Row = readonly string[];

const ENTRIES = { scoreframe: "mod.ts", "scoreframe/analysis": "src/analysis/mod.ts" };
const references = await Promise.all(
  Object.entries(ENTRIES).map(async ([specifier, path]) =>
    referencePage({ specifier, path, module: await readApi(path) }, new Map())
  ),
);
const guides = await Promise.all(["analysis", "connecting", "prices", "views"].map(guide));
const index = searchEntries([...guides, ...references])
  .map(({ page, text, url, excerpt, words }): Row => [page, text, url, excerpt, words]);
const answers = await answersOfSite();

async function guide(name: string): Promise<SitePage> {
  const text = await readFile(join(ROOT, "docs", `${name}.md`), "utf8");
  const { html, headings } = renderMarkdown(text, { link: (href) => href });
  return { path: `guides/${name}.html`, title: name, part: "Guides", body: html, headings };
}

/** How the script of the site answers, which is no module. */
async function answersOfSite(): Promise<Answers> {
  const script = await readFile(join(ROOT, ".ci/site/assets/site.js"), "utf8");
  const [code] = /^const STOP[\s\S]*?(?=^function show)/m.exec(script)!;
  return new Function(`${code}\nreturn answers;`)();
}

/** The places that are found, the best first. */
function found(query: string): readonly string[] {
  return answers(index, query).map(([, text, url]) => `${url} ${text}`);
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
  ["another phrase", "rate limit", "guides/connecting.html"],
])("the search of the site finds %s", (_what, query, expected) => {
  expect(found(query).some((line) => line.includes(expected)), found(query).join("\n")).toBe(true);
});

test.each([
  ["a column without the marks in its name", "maxdrawdown", "#performance performance"],
  ["a question", "how do I load scores", "#FactorApi FactorApi.scores"],
  ["a term of finance", "information ratio", "#relative-to-a-benchmark-and-exposures"],
  ["words that stand apart", "csv of yahoo", "guides/prices.html"],
  ["a plural of a name", "drawdown", "#drawdowns drawdowns"],
])(
  "one of the first three places that the search finds for %s is the right one: %s",
  (_what, query, expected) => {
    expect(found(query).slice(0, 3).join("\n")).toContain(expected);
  },
);

test("a phrase stands before the same words apart, and what is nowhere is not found", () => {
  expect(found("transaction costs")[0]).toContain("guides/analysis.html");
  expect(found("xyzzy plugh")).toEqual([]);
  expect(found(" ")).toEqual([]);
});
