import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ROOT } from "../../test/helpers/source_files.ts";
import { codeBlock, renderMarkdown } from "./render_markdown.ts";
import { escapeText, type Heading, type SitePage } from "./site_page.ts";

interface Cell {
  readonly cell_type: string;
  readonly source: string | readonly string[];
  readonly execution_count?: number | null;
  readonly outputs?: readonly Output[];
}

interface Output {
  readonly output_type: string;
  readonly data?: Readonly<Record<string, string | readonly string[]>>;
  readonly metadata?: Readonly<Record<string, { readonly width?: number } | undefined>>;
  readonly text?: string | readonly string[];
  readonly traceback?: readonly string[];
}

/** A notebook as it looks: text, code, and the outputs that it holds. */
export async function notebookPage(
  path: string,
  link: (href: string) => string,
): Promise<SitePage> {
  const { cells } = JSON.parse(await readFile(join(ROOT, path), "utf8")) as { cells: Cell[] };
  const headings: Heading[] = [];
  const parts = cells.map((cell) => {
    const source = joined(cell.source);
    if (cell.cell_type !== "markdown") return codeCell(cell, source);
    const rendered = renderMarkdown(source, { link });
    headings.push(...rendered.headings);
    return rendered.html;
  });
  const name = basename(path, ".ipynb");
  const title = headings.find(({ level }) => level === 1)?.text ?? name;
  const [number] = /^\d+/.exec(name) ?? [];
  return {
    path: `notebooks/${name}.html`,
    title: number === undefined ? title : `${number} ${title}`,
    part: "Notebooks",
    body: `<p class="kicker">Notebook <code>${escapeText(path)}</code></p>\n${parts.join("\n")}`,
    headings,
  };
}

function codeCell(cell: Cell, source: string): string {
  const count = cell.execution_count ?? " ";
  const outputs = (cell.outputs ?? []).map(outputHtml).join("\n");
  return `<div class="cell"><span class="prompt" aria-hidden="true">[${count}]</span>${
    codeBlock(source, "ts")
  }${outputs === "" ? "" : `<div class="shown">${outputs}</div>`}</div>`;
}

function outputHtml(output: Output): string {
  const { data = {}, metadata = {} } = output;
  if (output.output_type === "error") {
    return codeBlock(withoutEscapes((output.traceback ?? []).join("\n")), "error");
  }
  if (output.output_type === "stream") {
    return codeBlock(withoutEscapes(joined(output.text ?? "")), "text");
  }
  const text = joined(data["text/plain"] ?? "");
  if (data["text/html"] !== undefined) {
    return `<div class="html">${joined(data["text/html"])}</div>`;
  }
  const png = data["image/png"];
  if (png === undefined) return codeBlock(withoutEscapes(text), "text");
  const width = metadata["image/png"]?.width;
  const size = width === undefined ? "" : ` width="${width}"`;
  const source = joined(png).replace(/\s/g, "");
  return `<img src="data:image/png;base64,${source}" alt="${escapeText(text)}"${size}>`;
}

function joined(text: string | readonly string[]): string {
  return typeof text === "string" ? text : text.join("");
}

function withoutEscapes(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\u001b\[[\d;]*m/g, "");
}
