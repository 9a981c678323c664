import type { SitePage } from "./site_page.ts";

/** What the search finds: a page or a section. */
export interface SearchEntry {
  /** Title of the page. */
  readonly page: string;
  /** Heading of the section. */
  readonly text: string;
  readonly url: string;
  readonly excerpt: string;
  /** The whole text below the heading, in small letters. */
  readonly words: string;
}

/** Everything that the search can find, in the order of the navigation. */
export function searchEntries(pages: readonly SitePage[]): readonly SearchEntry[] {
  return pages.filter(({ part }) => part !== null).flatMap((page) =>
    page.headings.flatMap(({ level, id, text, excerpt, members = [] }, i) => {
      const url = level === 1 ? page.path : `${page.path}#${id}`;
      const words = textBelow(page, i);
      return [
        { page: page.title, text, url, excerpt, words },
        ...members.map(({ name, about }) => ({
          page: page.title,
          text: `${text}.${name}`,
          url,
          excerpt: about,
          words: "",
        })),
      ];
    })
  );
}

/** The text between a heading and the next one. */
function textBelow({ body, headings }: SitePage, place: number): string {
  const startOf = (i: number) => body.indexOf(`id="${headings[i]?.id}"`);
  const start = startOf(place);
  const end = place + 1 < headings.length ? startOf(place + 1) : body.length;
  if (start === -1 || end < start) return "";
  return body.slice(start, end)
    .replace(/<(script|style|svg)[\s\S]*?<\/\1>/g, " ").replace(/^[^>]*>/, "").replace(
      /<[^>]*>/g,
      " ",
    )
    .replace(/&[a-z#0-9]+;/g, " ").replace(/\s+/g, " ").trim().toLowerCase();
}

/** The index as a script: a page that is opened from a disk may load scripts, and no data. */
export function searchScript(entries: readonly SearchEntry[]): string {
  const rows = entries.map(({ page, text, url, excerpt, words }) => [
    page,
    text,
    url,
    excerpt,
    words,
  ]);
  return `globalThis.siteIndex = ${JSON.stringify(rows)};\n`;
}
