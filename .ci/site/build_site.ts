import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { decisions, documents } from "../../test/helpers/source/documents.ts";
import { ROOT } from "../../test/helpers/source_files.ts";
import { readApi } from "./api_doc.ts";
import { drawExamples, galleryPage, withPictures } from "./gallery_page.ts";
import { notebookPage } from "./notebook_page.ts";
import { type EntryPoint, referencePage, symbolLinks } from "./reference_page.ts";
import { codeBlock, renderMarkdown } from "./render_markdown.ts";
import { searchEntries, searchScript } from "./search_index.ts";
import { saveSheets } from "./save_sheets.ts";
import { SiteLinks } from "./site_links.ts";
import { escapeText, layOutPage, type Part, type SitePage } from "./site_page.ts";

const PROJECT = [
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "bench/README.md",
];
const ASSETS = join(import.meta.dirname!, "assets");
const SCRIPTS = ["vega", "vega-lite"];

/** Builds the site into a folder, which is emptied before, and gives its pages. */
export async function buildSite(out: string): Promise<readonly SitePage[]> {
  const links = new SiteLinks();
  const guides = await guidePaths();
  const notebooks = await notebookPaths();
  const project = [...PROJECT, ...(await decisions()).map(({ path }) => path)];
  links.add("README.md", "index.html");
  for (const path of guides) links.add(path, `guides/${basename(path, ".md")}.html`);
  for (const path of notebooks) links.add(path, `notebooks/${basename(path, ".ipynb")}.html`);
  for (const path of project) links.add(path, `project/${projectName(path)}.html`);
  const { examples, pages: drawn } = await galleryAndReference();
  const guideOf = async (path: string) => {
    const page = await textPage(path, { links, part: "Guides" });
    return path === "docs/charts.md" ? await withPictures(page, examples) : page;
  };
  const pages = [
    await textPage("README.md", { links, part: "Start" }),
    ...drawn,
    ...await Promise.all(guides.map(guideOf)),
    ...await Promise.all(notebooks.map((path) => notebookPage(path, links.from(path)))),
    ...await Promise.all(project.map((path) => textPage(path, { links, part: "Project" }))),
  ];
  await rm(out, { recursive: true, force: true });
  const sources = await writeSources(out, links);
  await writePages(out, [...pages, ...sources]);
  await writeAssets(out, pages);
  await saveSheets(out);
  return [...pages, ...sources];
}

async function guidePaths(): Promise<readonly string[]> {
  const docs = await documents();
  const readme = docs.find(({ path }) => path === "README.md")!.text;
  // The README names the guides in the order in which they are read.
  const place = (path: string) => (readme.indexOf(`](${path})`) + 1) || Infinity;
  return docs.map(({ path }) => path).filter((path) => path.startsWith("docs/"))
    .toSorted((a, b) => place(a) - place(b));
}

async function notebookPaths(): Promise<readonly string[]> {
  const entries = await readdir(join(ROOT, "notebooks"), { recursive: true });
  return entries.filter((path) => /(^|\/)\d\d_\w+\.ipynb$/.test(path) && !path.includes(".ipynb_"))
    .map((path) => join("notebooks", path)).toSorted((a, b) => basename(a) < basename(b) ? -1 : 1);
}

function projectName(path: string): string {
  const name = basename(path, ".md").toLowerCase();
  return name === "readme" ? basename(dirname(path)) : name;
}

interface TextPlan {
  readonly links: SiteLinks;
  readonly part: Part;
}

async function textPage(path: string, { links, part }: TextPlan): Promise<SitePage> {
  const text = await readFile(join(ROOT, path), "utf8");
  const { html, headings } = renderMarkdown(text, { link: links.from(path) });
  const title = headings.find(({ level }) => level === 1)?.text ?? path;
  return { path: links.pageOf(path), title, part, body: html, headings };
}

async function galleryAndReference() {
  const { exports } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  };
  // The command line is run, not imported.
  const found = Object.entries(exports).filter(([name]) => name !== "./cli")
    .toSorted(([a], [b]) => a < b ? -1 : 1);
  const entries = await Promise.all(found.map(async ([name, file]): Promise<EntryPoint> => {
    const path = file.replace("./", "");
    return { specifier: join("scoreframe", name), path, module: await readApi(path) };
  }));
  const symbols = symbolLinks(entries);
  const charts = entries.find(({ specifier }) => specifier === "scoreframe/chart")!;
  const examples = await drawExamples(charts.module);
  const pages = [
    await galleryPage(examples),
    ...entries.map((entry) => referencePage(entry, symbols)),
  ];
  return { examples, pages };
}

/** Files that the texts link to and that are no page: code with its colours, pictures as they are. */
async function writeSources(out: string, links: SiteLinks): Promise<readonly SitePage[]> {
  const pages: SitePage[] = [];
  for (const path of links.sources) {
    if (/\.(png|svg)$/.test(path)) {
      await mkdir(join(out, "files"), { recursive: true });
      await copyFile(join(ROOT, path), join(out, "files", basename(path)));
      continue;
    }
    const text = await readFile(join(ROOT, path), "utf8");
    const ending = path.split(".").at(-1)!;
    const page = `source/${path.replaceAll("/", "-")}.html`;
    links.add(path, page);
    const { html } = ending === "md"
      ? renderMarkdown(text, {
        link: (href) => href.startsWith("#") ? href : links.from(path)(href),
      })
      : { html: `<h1>${escapeText(path)}</h1>${codeBlock(text, ending)}` };
    pages.push({ path: page, title: path, part: null, body: html, headings: [] });
  }
  return pages;
}

async function writePages(out: string, pages: readonly SitePage[]): Promise<void> {
  for (const page of pages) {
    const path = join(out, page.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, layOutPage(page, pages));
  }
}

async function writeAssets(out: string, pages: readonly SitePage[]): Promise<void> {
  const folder = join(out, "assets");
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(ASSETS)) await copyFile(join(ASSETS, name), join(folder, name));
  const { resolve } = createRequire(import.meta.url);
  for (const name of SCRIPTS) {
    const file = `${name}.min.js`;
    await copyFile(join(dirname(resolve(name)), file), join(folder, file));
  }
  await writeFile(join(folder, "search.js"), searchScript(searchEntries(pages)));
}
