import type { SitePage } from "./site_page.ts";

/** What the search finds: a page or a section. */
export interface SearchEntry {
  /** Title of the page. */
  readonly page: string;
  /** Heading of the section. */
  readonly text: string;
  readonly url: string;
  readonly excerpt: string;
}

/** Everything that the search can find, in the order of the navigation. */
export function searchEntries(pages: readonly SitePage[]): readonly SearchEntry[] {
  return pages.filter(({ part }) => part !== null).flatMap((page) =>
    page.headings.map(({ level, id, text, excerpt }) => ({
      page: page.title,
      text,
      url: level === 1 ? page.path : `${page.path}#${id}`,
      excerpt,
    }))
  );
}

/** The index as a script: a page that is opened from a disk may load scripts, and no data. */
export function searchScript(entries: readonly SearchEntry[]): string {
  const rows = entries.map(({ page, text, url, excerpt }) => [page, text, url, excerpt]);
  return `globalThis.siteIndex = ${JSON.stringify(rows)};\n`;
}
