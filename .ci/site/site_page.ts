/** A heading of a page, for its own table of contents and for the search. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly text: string;
  /** The first words below it. */
  readonly excerpt: string;
  /** Options and members that stand below it, with what is said of them: the search finds each by its name. */
  readonly members?: readonly { readonly name: string; readonly about: string }[];
}

/** A page of the site. */
export interface SitePage {
  /** Where it stands, from the root of the site: `guides/views.html`. */
  readonly path: string;
  readonly title: string;
  /** In which part of the navigation it stands; `null` if it is reached by links alone. */
  readonly part: Part | null;
  /** What stands between the navigation and the table of contents. */
  readonly body: string;
  readonly headings: readonly Heading[];
}

/** A part of the navigation. */
export type Part = (typeof PARTS)[number];

/** The parts of the navigation, in order. */
export const PARTS = ["Start", "Guides", "Notebooks", "Reference", "Project"] as const;

/** A page as a file of HTML. */
export function layOutPage(page: SitePage, pages: readonly SitePage[]): string {
  const root = "../".repeat(page.path.split("/").length - 1);
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${
    page.title === "scoreframe" ? "scoreframe" : `${escapeText(page.title)} · scoreframe`
  }</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}assets/site.css">
<script>try { document.documentElement.dataset.theme = localStorage.getItem("theme") ?? ""; } catch { /* no storage */ }</script>
</head>
<body data-root="${root}">
<a class="skip" href="#main">To the text</a>
<header>
<a class="brand" href="${root}index.html">scoreframe</a>
<div class="search">
<input type="search" id="search" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false"
  role="combobox" aria-expanded="false" aria-controls="found">
<ol id="found" role="listbox" hidden></ol>
</div>
<button type="button" id="theme" aria-label="Light or dark">◐</button>
</header>
<div class="columns">
<details class="parts" id="parts" open><summary>All pages</summary>
<nav aria-label="Pages">${navigation(page, pages, root)}</nav></details>
<main id="main">${page.body}</main>
${contents(page)}
</div>
<script src="${root}assets/site.js"></script>
</body>
</html>
`;
}

function navigation(page: SitePage, pages: readonly SitePage[], root: string): string {
  return PARTS.map((part) => {
    const links = pages.filter((one) => one.part === part).map((one) => {
      const current = one.path === page.path ? ' aria-current="page"' : "";
      return `<li><a href="${root}${one.path}"${current}>${escapeText(one.title)}</a></li>`;
    });
    return `<h2>${part}</h2><ul>${links.join("\n")}</ul>`;
  }).join("\n");
}

function contents({ headings }: SitePage): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '<aside class="contents"></aside>';
  const links = shown.map(({ level, id, text }) =>
    `<li class="level-${level}"><a href="#${id}">${escapeText(text)}</a></li>`
  );
  return `<aside class="contents"><nav aria-label="On this page"><h2>On this page</h2><ul>${
    links.join("\n")
  }</ul></nav></aside>`;
}

/** Text as it stands in HTML, also in an attribute. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
