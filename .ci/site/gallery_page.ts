import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Chart } from "../../src/report/chart/mod.ts";
import { titleOf } from "../../src/report/chart/render/render_chart.ts";
import { ROOT } from "../../test/helpers/source_files.ts";
import { type ApiModule, examplesOf } from "./api_doc.ts";
import { codeBlock } from "./render_markdown.ts";
import { closeWorld } from "./shared_world.ts";
import { escapeText, type Heading, type SitePage } from "./site_page.ts";

/** A chart with the code that drew it. */
export interface DrawnExample {
  readonly name: string;
  readonly code: string;
  readonly chart: Chart;
}

// As a tear sheet asks its questions; the others follow.
const ORDER = [
  ...["cumulativeReturnChart", "quantileChart", "leadLagChart", "icChart", "icMonthChart"],
  ...["cumulativeQuantileReturnChart", "turnoverChart", "stabilityChart", "icDistributionChart"],
];
const FOLDER = join(ROOT, ".scoreframe");

/** Draws what the examples of all chart functions draw, by running them. */
export async function drawExamples(charts: ApiModule): Promise<readonly DrawnExample[]> {
  await mkdir(FOLDER, { recursive: true });
  const folder = await mkdtemp(join(FOLDER, "examples-"));
  const drawn: DrawnExample[] = [];
  for (const { name, declarations } of charts.symbols) {
    const [code] = examplesOf(declarations[0]?.jsDoc);
    if (declarations[0]?.kind !== "function" || code === undefined) continue;
    const path = join(folder, `${name}.ts`);
    await writeFile(path, `${overSharedWorld(code)}\nexport { chart };\n`);
    const module = await import(pathToFileURL(path).href) as { readonly chart: Chart };
    drawn.push({ name, code: withoutProof(code), chart: module.chart });
  }
  await rm(folder, { recursive: true });
  await closeWorld();
  return drawn.toSorted((a, b) => placeOf(a.name) - placeOf(b.name));
}

function overSharedWorld(code: string): string {
  const world = new URL("shared_world.ts", import.meta.url).href;
  return code.replaceAll(/ from "scoreframe(\/analysis)?";/g, ` from "${world}";`);
}

function placeOf(name: string): number {
  const place = ORDER.indexOf(name);
  return place === -1 ? ORDER.length : place;
}

// What an example proves about its chart is for the tests.
function withoutProof(code: string): string {
  return code.split("\n").filter((line) => !/^if \(.*\) throw /.test(line)).join("\n");
}

/** All charts, each with the code that drew it. */
export async function galleryPage(examples: readonly DrawnExample[]): Promise<SitePage> {
  const cards = await Promise.all(examples.map(cardHtml));
  const headings: Heading[] = examples.map(({ name, chart }) => ({
    level: 2,
    id: name,
    text: name,
    excerpt: chart.description,
  }));
  return {
    path: "gallery.html",
    title: "Gallery",
    part: "Start",
    headings: [{ level: 1, id: "gallery", text: "Gallery", excerpt: "" }, ...headings],
    body: `<h1 id="gallery">Gallery</h1>
<p>All charts, each drawn by the code below it, over the synthetic world of the embedded service. A chart is a plain
Vega-Lite specification; in a notebook it moves, zooms and shows its numbers, as it does here when you press the button.
All of them on one page: <a href="sheet.html">a tear sheet</a>, and <a href="compare.html">two factors beside each
other</a>.</p>
${cards.join("\n")}`,
  };
}

/** A page that ends with a picture of each chart, which leads to the code that drew it. */
export async function withPictures(
  page: SitePage,
  examples: readonly DrawnExample[],
): Promise<SitePage> {
  const links = await Promise.all(examples.map(async ({ name, chart }) => {
    // The drawing for telephones has the size of a card, so that its words can be read.
    const narrow = (await pictures(chart)).at(-1)!;
    const svg = named(ownIds(narrow, name), chart);
    return `<a href="../gallery.html#${name}"><span>${name}</span><span class="chart">${svg}</span></a>`;
  }));
  return { ...page, body: `${page.body}\n<div class="pictures">${links.join("\n")}</div>` };
}

/** A picture whose text alternative is its title. */
function named(svg: string, chart: Chart): string {
  return svg.replace(/ aria-label="[^"]*"/, ` aria-label="${escapeText(titleOf(chart))}"`);
}

async function cardHtml({ name, code, chart }: DrawnExample): Promise<string> {
  const [wide, narrow] = (await pictures(chart)).map((svg, at) =>
    named(ownIds(svg, at === 0 ? name : `${name}-narrow`), chart)
      .replace("<svg ", `<svg aria-describedby="${name}-text" `)
  );
  const picture = narrow === undefined
    ? wide
    : `<div class="wide">${wide}</div><div class="narrow">${narrow}</div>`;
  const spec = JSON.stringify(chart.spec).replaceAll("<", "\\u003c");
  return `<section class="card"><h2 id="${name}">${name} <a class="anchor" href="#${name}" aria-label="Link to ${name}">#</a></h2>
<figure><div class="chart" tabindex="0">${picture}</div><figcaption id="${name}-text">${
    escapeText(chart.description)
  }</figcaption></figure>
<script type="application/json" class="spec">${spec}</script>
<p class="actions"><button type="button" class="move" hidden>Move and zoom</button>
<a href="reference/scoreframe-chart.html#${name}">Reference</a></p>
<details><summary>The code</summary>${codeBlock(code, "ts")}</details></section>`;
}

/** The picture, and a narrower one for telephones where the page of the chart has one. */
async function pictures(chart: DrawnExample["chart"]): Promise<readonly string[]> {
  const page = await chart.toHtml({ interactive: false });
  const narrow = /<div class="narrow">([\s\S]*?<\/svg>)<\/div>/.exec(page)?.[1];
  return [await chart.toSvg(), ...narrow === undefined ? [] : [narrow]];
}

// Each picture counts its clips and gradients from one.
function ownIds(svg: string, name: string): string {
  return svg.replace(/ id="([^"]+)"/g, ` id="${name}-$1"`)
    .replace(/url\(#([^)]+)\)/g, `url(#${name}-$1)`);
}
