import type { MimeBundle } from "../../notebook/display.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";

/** What a table shows. */
export interface Table {
  /** One line above the table. */
  readonly title: string;
  /** Names of the columns. */
  readonly header: readonly string[];
  /** Cells by row. */
  readonly rows: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly notes: readonly string[];
}

/** A small table as text. */
export function tableText({ title, header, rows, notes }: Table): string {
  const lines = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const padded = lines.map((line) =>
    line.map((cell, i) => i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)).join("  ")
  );
  return [title, ...padded.map((line) => `  ${line.trimEnd()}`), ...notes].join("\n");
}

/** A small table as a notebook shows it. */
export function tableBundle(table: Table): MimeBundle {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escapeHtml(cell)}</${tag}>`).join("")}</tr>`;
  const html = [
    `<div><strong>${escapeHtml(table.title)}</strong><table>`,
    `<thead>${row(table.header, "th")}</thead>`,
    `<tbody>${table.rows.map((cells) => row(cells, "td")).join("")}</tbody></table>`,
    ...table.notes.map((note) => `<div>${escapeHtml(note)}</div>`),
    "</div>",
  ];
  return { "text/html": html.join(""), "text/plain": tableText(table) };
}
