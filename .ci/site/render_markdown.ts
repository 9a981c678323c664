import hljs from "highlight.js";
import { Marked } from "marked";
import { escapeText, type Heading } from "./site_page.ts";

/** How Markdown becomes HTML. */
export interface MarkdownOptions {
  /** Where a link of the text leads on the site. */
  readonly link: (href: string) => string;
}

/** A text as HTML, with its headings. */
export interface RenderedText {
  readonly html: string;
  readonly headings: readonly Heading[];
}

const EXCERPT = 220;
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  typescript: "typescript",
  js: "javascript",
  sh: "bash",
  bash: "bash",
  json: "json",
  python: "python",
  py: "python",
};

/** Renders Markdown: code in colours, headings with the ids that GitHub gives them. */
export function renderMarkdown(text: string, { link }: MarkdownOptions): RenderedText {
  const headings: Heading[] = [];
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth, raw }) {
        const id = uniqueId(anchorOf(raw), headings);
        const html = this.parser.parseInline(tokens);
        headings.push({ level: depth, id, text: plainText(html), excerpt: "" });
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="Link to this heading">#</a></h${depth}>\n`;
      },
      code({ text, lang }) {
        return codeBlock(text, lang ?? "");
      },
      link({ href, tokens }) {
        return `<a href="${escapeText(link(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escapeText(href)}" alt="${escapeText(text)}">`;
      },
    },
  });
  const html = (marked.parse(text, { async: false }))
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    .replace(
      /\b(srcset|src)="(?!https?:|data:)([^"]+)"/g,
      (_, name, href) => `${name}="${link(href)}"`,
    );
  return { html, headings: withExcerpts(html, headings) };
}

/** Code in colours. What a program prints is set apart from the program. */
export function codeBlock(code: string, info: string): string {
  const [name = ""] = info.split(" ");
  const language = LANGUAGES[name];
  const html = language === undefined
    ? escapeText(code)
    : hljs.highlight(code.trimEnd(), { language }).value;
  const kind = language === undefined ? "output" : "code";
  return `<pre class="${kind}" tabindex="0"><code>${html.trimEnd()}</code></pre>\n`;
}

/** The id of a heading, as GitHub spells it. */
function anchorOf(heading: string): string {
  return heading.trim().replace(/^#+ /, "").toLowerCase().replace(/[^\w\- ]/g, "").trim()
    .replaceAll(" ", "-");
}

function uniqueId(id: string, taken: readonly Heading[]): string {
  const used = (one: string) => taken.some((heading) => heading.id === one);
  if (!used(id)) return id;
  return [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${id}-${n}`).find((one) => !used(one))!;
}

function withExcerpts(html: string, headings: readonly Heading[]): readonly Heading[] {
  return headings.map((heading, i) => {
    const from = html.indexOf(`id="${heading.id}"`);
    const next = headings[i + 1];
    const to = next === undefined ? html.length : html.indexOf(`id="${next.id}"`, from + 1);
    const text = plainText(html.slice(html.indexOf("</h", from) + 5, to));
    return { ...heading, excerpt: text.slice(0, EXCERPT) };
  });
}

/** The words of HTML. */
export function plainText(html: string): string {
  return html.replace(/<a class="anchor".*?<\/a>/g, "").replace(/<[^>]*>?/g, " ")
    .replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'").replaceAll("&amp;", "&").replace(/\s+/g, " ").trim();
}
