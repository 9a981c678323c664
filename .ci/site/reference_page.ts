import type { ApiModule, ApiSymbol, DocTag, JsDoc } from "./api_doc.ts";
import { membersOf, signatureOf } from "./print_declaration.ts";
import { printType } from "./print_type.ts";
import { codeBlock, plainText, renderMarkdown } from "./render_markdown.ts";
import { escapeText, type Heading, type SitePage } from "./site_page.ts";

/** An entry point of the library. */
export interface EntryPoint {
  /** How it is imported. */
  readonly specifier: string;
  readonly path: string;
  readonly module: ApiModule;
}

const GROUPS = [
  ["Functions", "function"],
  ["Classes", "class"],
  ["Constants", "variable"],
  ["Interfaces", "interface"],
  ["Types", "typeAlias"],
] as const;

/** Where a symbol stands on the site. */
export type SymbolLinks = ReadonlyMap<string, string>;

/** The file of an entry point. */
export function referencePath(specifier: string): string {
  return `reference/${specifier.replace("/", "-")}.html`;
}

/** Where the symbols of all entry points stand; one that several export stands where it comes first. */
export function symbolLinks(entries: readonly EntryPoint[]): SymbolLinks {
  const links = new Map<string, string>();
  for (const { specifier, module } of entries) {
    for (const { name } of module.symbols) {
      if (!links.has(name)) links.set(name, `../${referencePath(specifier)}#${name}`);
    }
  }
  return links;
}

/** The reference of an entry point: its docstrings. */
export function referencePage(entry: EntryPoint, links: SymbolLinks): SitePage {
  const { specifier, module } = entry;
  const headings: Heading[] = [{
    level: 1,
    id: "top",
    text: specifier,
    excerpt: plainText(module.moduleDoc).slice(0, 200),
  }];
  const parts = GROUPS.flatMap(([title, kind]) => {
    const symbols = module.symbols.filter(({ declarations }) => declarations[0]?.kind === kind)
      .toSorted((a, b) => a.name < b.name ? -1 : 1);
    if (symbols.length === 0) return [];
    headings.push({ level: 2, id: title.toLowerCase(), text: title, excerpt: "" });
    const bodies = symbols.map((symbol) => {
      const [first] = (symbol.declarations[0]?.jsDoc?.doc ?? "").split("\n\n");
      const members = symbol.declarations.flatMap(({ def }) => membersOf(def ?? {}))
        .map(({ code, jsDoc }) => ({
          name: nameOf(code),
          about: plainText(jsDoc?.doc ?? "").slice(0, 200),
        }))
        .filter(({ name }) => name !== "");
      const excerpt = plainText(first!);
      headings.push({ level: 3, id: symbol.name, text: symbol.name, excerpt, members });
      return symbolHtml(symbol, links);
    });
    return [`<h2 id="${title.toLowerCase()}">${title}</h2>`, ...bodies];
  });
  const about = docHtml(module.moduleDoc, links);
  return {
    path: referencePath(specifier),
    title: specifier,
    part: "Reference",
    body: `<h1 id="top">${specifier}</h1>\n${about}\n${parts.join("\n")}`,
    headings,
  };
}

/** The name of a member in its declaration, such as `readonly quantiles?: number`. */
function nameOf(code: string): string {
  const name = /^(?:(?:readonly|static|get|protected|override|async)\s+)*([A-Za-z]\w*)/.exec(code)
    ?.[1];
  return name === undefined || name === "constructor" || name === "new" ? "" : name;
}

function symbolHtml(symbol: ApiSymbol, links: SymbolLinks): string {
  const { name } = symbol;
  const [first] = symbol.declarations;
  const code = symbol.declarations.map((one) => signatureOf(name, one)).join("\n");
  return `<section class="symbol"><h3 id="${name}">${name} ${anchor(name)}</h3>
${linked(codeBlock(code, "ts"), links, name)}
${docHtml(first?.jsDoc?.doc ?? "", links)}
${tagsHtml(first?.jsDoc, links)}
${membersHtml(first?.def ?? {}, links)}
</section>`;
}

function anchor(id: string): string {
  return `<a class="anchor" href="#${id}" aria-label="Link to ${id}">#</a>`;
}

function membersHtml(def: Readonly<Record<string, unknown>>, links: SymbolLinks): string {
  const all = membersOf(def).map(({ code, jsDoc }) => memberHtml(code, jsDoc, links));
  return all.length === 0 ? "" : `<dl class="members">${all.join("\n")}</dl>`;
}

function memberHtml(code: string, jsDoc: JsDoc | undefined, links: SymbolLinks): string {
  const html = codeBlock(code, "ts").replace(' tabindex="0"', "");
  return `<dt>${linked(html, links)}</dt><dd>${docHtml(jsDoc?.doc ?? "", links)}${
    tagsHtml(jsDoc, links)
  }</dd>`;
}

function docHtml(doc: string, links: SymbolLinks): string {
  // A link of a docstring names a symbol.
  const text = doc.replace(/\{@link\s+([\w.]+)[^}]*\}/g, (_, name) => {
    const url = links.get(name.split(".")[0]);
    return url === undefined ? `\`${name}\`` : `[\`${name}\`](${url})`;
  });
  return renderMarkdown(text, { link: (href) => href }).html;
}

function tagsHtml(jsDoc: JsDoc | undefined, links: SymbolLinks): string {
  const tags = jsDoc?.tags ?? [];
  const of = (kind: string) => tags.filter((tag) => tag.kind === kind);
  const rows = [
    ...of("param").map((tag) => [`<code>${escapeText(tag.name ?? "")}</code>`, inline(tag, links)]),
    ...of("default").map((tag) => ["default", inline(tag, links)]),
    ...of("return").map((tag) => ["gives", inline(tag, links)]),
    ...of("throws").map((
      tag,
    ) => [`throws <code>${escapeText(printType(tag.tsType))}</code>`, inline(tag, links)]),
    ...of("see").map((tag) => ["see", inline(tag, links)]),
  ].map(([head, text]) => `<tr><th scope="row">${head}</th><td>${text}</td></tr>`);
  const table = rows.length === 0
    ? ""
    : `<div class="table" tabindex="0"><table class="tags"><tbody>${
      rows.join("")
    }</tbody></table></div>`;
  return table +
    of("example").map((tag) => docHtml((tag.doc ?? "").replace(/^Usage\n/, ""), links)).join("\n");
}

function inline({ doc = "", tsType }: DocTag, links: SymbolLinks): string {
  const text = doc === "" && tsType !== undefined ? printType(tsType) : doc;
  return docHtml(text.trim(), links).trim().replace(/^<p>([\s\S]*)<\/p>$/, "$1");
}

/** Names of symbols in code as links, but not a name to itself. */
function linked(html: string, links: SymbolLinks, own = ""): string {
  return html.replace(/(?<![\w.\-#"/])[A-Z]\w+(?![^<]*>)/g, (name) => {
    const url = links.get(name);
    return url === undefined || name === own ? name : `<a href="${url}">${name}</a>`;
  });
}
