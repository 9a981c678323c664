import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { ROOT } from "../../test/helpers/source_files.ts";

/** Where files of the repository stand on the site. */
export class SiteLinks {
  readonly #pages = new Map<string, string>();
  readonly #sources = new Set<string>();

  /** Makes a file of the repository a page. */
  add(path: string, page: string): void {
    this.#pages.set(path, page);
  }

  /** The page of a file. */
  pageOf(path: string): string {
    const page = this.#pages.get(path);
    if (page === undefined) throw new Error(`Cannot find the page of ${path}`);
    return page;
  }

  /** Files that are no page of their own and are linked to: they are shown as they are. */
  get sources(): readonly string[] {
    return [...this.#sources].toSorted();
  }

  /** Where the links of a file lead, from its page. */
  from(path: string): (href: string) => string {
    const own = this.pageOf(path);
    return (href) => {
      if (/^[a-z]+:|^#/i.test(href)) return href;
      const [target = "", anchor] = href.split("#");
      const file = join(dirname(path), target);
      if (!existsSync(join(ROOT, file))) throw new Error(`Cannot follow ${href} in ${path}`);
      const page = this.#pages.get(file) ?? this.#sourcePage(file);
      return relative(dirname(own), page) + (anchor === undefined ? "" : `#${anchor}`);
    };
  }

  #sourcePage(file: string): string {
    this.#sources.add(file);
    if (/\.(png|svg)$/.test(file)) return `files/${basename(file)}`;
    return `source/${file.replaceAll("/", "-")}.html`;
  }
}
