import { writeFile } from "node:fs/promises";
import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { escapeHtml } from "../notebook/escape_html.ts";
import { partHtml, type Place } from "./part_html.ts";
import type { SheetPart } from "./sheet_part.ts";
import { PAGE_STYLE, SHEET_STYLE } from "./sheet_style.ts";

/** A sheet: parts under headings, in a notebook or as one file. */
export class Sheet {
  /** The heading of the sheet. */
  readonly title: string;
  /** What was analysed, and over what. */
  readonly subtitle: string;
  /** The parts, in the order in which they are read. */
  readonly parts: readonly SheetPart[];

  /**
   * Puts parts together.
   *
   * @param head Heading, and what was analysed
   * @param parts The parts
   */
  constructor(
    head: { readonly title: string; readonly subtitle: string },
    parts: readonly SheetPart[],
  ) {
    this.title = head.title;
    this.subtitle = head.subtitle;
    this.parts = parts;
  }

  /**
   * One part alone; a notebook shows it.
   *
   * @param name Its name
   * @throws {RangeError} If the sheet has no such part
   */
  part(name: string): SheetPart {
    const found = this.parts.find((part) => part.name === name);
    if (found !== undefined) return found;
    const names = this.parts.map((part) => part.name).join(", ");
    throw new RangeError(`Cannot find a part of the sheet: its parts are ${names}, got ${name}`);
  }

  /** The sheet in words: what its pictures show stands in sentences. */
  get text(): string {
    return [this.title, this.subtitle, ...this.parts.map((part) => part.text)].join("\n\n");
  }

  /** The sheet as one HTML file that loads nothing and needs no script: light and dark, on a screen and on A4. */
  async toHtml(): Promise<string> {
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(this.title)}</title>
<style>${PAGE_STYLE}${SHEET_STYLE}</style>
</head>
<body>
<main class="scoreframe-sheet">
${await this.#body("page")}
</main>
</body>
</html>
`;
  }

  /**
   * Writes the sheet to a file.
   *
   * @param path Where to; it ends with .html
   * @throws {TypeError} If the ending is another
   */
  async save(path: string): Promise<void> {
    if (typeof path !== "string" || !/\.html?$/i.test(path)) {
      throw new TypeError(
        `Cannot save a sheet: a path that ends with .html is required, got ${
          JSON.stringify(path) ?? "nothing"
        }`,
      );
    }
    await writeFile(path, await this.toHtml());
  }

  // In a notebook links would leave the cell.
  async #body(place: Place): Promise<string> {
    const parts: string[] = [];
    for (const part of this.parts) parts.push(await partHtml(part, place));
    const links = this.parts.map((part) => `<a href="#${part.name}">${escapeHtml(part.title)}</a>`);
    return [
      `<h1>${escapeHtml(this.title)}</h1>`,
      `<p>${escapeHtml(this.subtitle)}</p>`,
      ...(place === "page" ? [`<nav aria-label="Parts">${links.join(" · ")}</nav>`] : []),
      ...parts,
    ].join("\n");
  }

  /** What a notebook shows. */
  async [DISPLAY](): Promise<MimeBundle> {
    try {
      const html = `<style>${SHEET_STYLE}</style><div class="scoreframe-sheet">${await this.#body(
        "notebook",
      )}</div>`;
      return await display({ "text/html": html, "text/plain": this.text });
    } catch (error) {
      // An error in a display hook would hide the sheet without a word.
      const reason = error instanceof Error ? error.message : String(error);
      return await display({ "text/plain": `${this.text}\n\n(no pictures: ${reason})` });
    }
  }
}
