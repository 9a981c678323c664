import { checkOption, oneOf, pathEnding } from "../../base/arguments/check_options.ts";
import { contentPolicy } from "../chart/render/render_html.ts";
import { saveFile } from "../chart/save_file.ts";
import { DISPLAY, display, type MimeBundle } from "../../frames/notebook/display.ts";
import { escapeHtml } from "../../frames/notebook/html.ts";
import type { Place } from "./html/figure_html.ts";
import { partHtml } from "./html/part_html.ts";
import type { SheetPart } from "./sheet_part.ts";
import { PAGE_STYLE, SHEET_STYLE } from "./html/sheet_style.ts";

/** A sheet: parts under headings, in a notebook or as one file. */
export class Sheet {
  /** The heading of the sheet. */
  readonly title: string;
  /** Subject and sample of the analysis. */
  readonly subtitle: string;
  /** The parts, in reading order. */
  readonly parts: readonly SheetPart[];
  readonly #sample: string;
  readonly #others: Readonly<Record<string, () => SheetPart>>;

  /**
   * Builds a sheet.
   *
   * @param head Heading and subject
   * @param parts The parts
   * @param others Parts by name, which `part()` makes
   */
  constructor(
    head: { readonly title: string; readonly subtitle: string; readonly sample?: string },
    parts: readonly SheetPart[],
    others: Readonly<Record<string, () => SheetPart>> = {},
  ) {
    this.title = head.title;
    this.subtitle = head.subtitle;
    this.parts = parts;
    this.#sample = head.sample ?? "";
    this.#others = others;
  }

  /**
   * One part, for display in a notebook.
   *
   * @param name Its name
   * @throws {RangeError} If the sheet has no such part
   */
  part(name: string): SheetPart {
    const names = [...this.parts.map((part) => part.name), ...Object.keys(this.#others)];
    const known = oneOf(...new Set(names));
    checkOption("find a part of the sheet", "name", name, { ...known, isKind: () => true });
    return this.parts.find((part) => part.name === name) ?? this.#others[name]!();
  }

  /** The sheet as text, with its charts described in sentences. */
  get text(): string {
    const [first, ...others] = this.parts.map((part) => part.text);
    // Screen readers follow the order of the page.
    const isSummary = this.parts[0] !== undefined && this.parts[0].numbers.length > 0;
    const head = [this.title, this.subtitle];
    return [...(isSummary ? [first, ...head] : [...head, first]), ...others].join("\n\n");
  }

  /** The sheet as one HTML file without network access or scripts, light and dark, for the screen and A4. */
  async toHtml(): Promise<string> {
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
${contentPolicy()}
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
   * @param path Path of the file, which ends with .html
   * @throws {TypeError} If the path does not end with .html
   * @throws {StorageError} If the folder does not exist, or cannot be written
   */
  async save(path: string): Promise<void> {
    checkOption("save a sheet", "path", path, pathEnding(".html", ".htm"));
    await saveFile("save a sheet", path, await this.toHtml());
  }

  // In a notebook links would leave the cell.
  async #body(place: Place): Promise<string> {
    const parts: string[] = [];
    for (const part of this.parts) {
      parts.push(await partHtml(part, { place, sample: this.#sample }));
    }
    const links = this.parts.map((part) => `<a href="#${part.name}">${escapeHtml(part.title)}</a>`);
    return [
      `<h1>${escapeHtml(this.title)}</h1>`,
      `<p>${escapeHtml(this.subtitle)}</p>`,
      ...(place === "page" ? [`<nav aria-label="Parts">${links.join(" · ")}</nav>`] : []),
      ...parts,
    ].join("\n");
  }

  /** Display in a notebook. */
  async [DISPLAY](): Promise<MimeBundle> {
    try {
      const html = `<style>${SHEET_STYLE}</style><div ` +
        `class="scoreframe-sheet">${await this.#body("notebook")}</div>`;
      return await display({ "text/html": html, "text/plain": this.text });
    } catch (error) {
      // An error in a display hook would hide the sheet without a message.
      const reason = error instanceof Error ? error.message : String(error);
      return await display({ "text/plain": `${this.text}\n\n(no pictures: ${reason})` });
    }
  }
}
