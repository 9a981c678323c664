import { DISPLAY, display, type MimeBundle } from "../../frames/notebook/display.ts";
import type { DisplayMethods } from "../../frames/notebook/display_as.ts";
import { escapeHtml } from "../../frames/notebook/html.ts";

/** Content of a table. */
export interface TextTable {
  /** Line above the table. */
  readonly title: string;
  /** Names of the columns. */
  readonly header: readonly string[];
  /** Cells by row. */
  readonly rows: readonly (readonly string[])[];
  /** Lines below the table. */
  readonly notes: readonly string[];
}

// Amounts are right-aligned; words, addresses and times left-aligned.
const AMOUNT = /^(at most )?[\d,]+( (to|of) [\d,]+)?$/;

/** Display as a small table, which is computed for each display. */
export function tableView(table: () => TextTable): DisplayMethods {
  return { toString: () => tableLines(table()), [DISPLAY]: () => display(tableBundle(table())) };
}

/** A small table as text. */
export function tableLines(table: TextTable): string {
  const { title, header, rows, notes } = table;
  const lines = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  const sides = sidesOf(table);
  const padded = lines.map((line) =>
    line.map((cell, i) =>
      sides[i] === "right" ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)
    ).join("  ")
  );
  return [title, ...padded.map((line) => `  ${line.trimEnd()}`), ...notes].join("\n");
}

/** A small table as a notebook shows it. */
export function tableBundle(table: TextTable): MimeBundle {
  const sides = sidesOf(table);
  const row = (cells: readonly string[], tag: string) => {
    const written = cells.map((cell, i) => {
      // An empty header cell is not a header.
      const kind = cell === "" ? "td" : tag;
      return `<${kind} style="text-align:${sides[i]}">${escapeHtml(cell)}</${kind}>`;
    });
    return `<tr>${written.join("")}</tr>`;
  };
  const html = [
    `<div><strong>${escapeHtml(table.title)}</strong><table cellpadding="4" style="margin:0.3em ` +
    '0">',
    `<thead>${row(table.header, "th")}</thead>`,
    `<tbody>${table.rows.map((cells) => row(cells, "td")).join("")}</tbody></table>`,
    ...table.notes.map((note) => `<div>${escapeHtml(note)}</div>`),
    "</div>",
  ];
  return { "text/html": html.join(""), "text/plain": tableLines(table) };
}

function sidesOf({ header, rows }: TextTable): readonly ("left" | "right")[] {
  return header.map((_, i) =>
    rows.length > 0 && rows.every((cells) => AMOUNT.test(cells[i] ?? "")) ? "right" : "left"
  );
}
