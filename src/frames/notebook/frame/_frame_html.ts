import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { provenanceLine, shapeText, syntheticBadge } from "./_caption.ts";
import { type Cell, NOT_A_NUMBER } from "./_cell.ts";
import type { ColumnView, FrameView } from "./_frame_view.ts";
import { tableScript } from "./table_script.ts";
import { escapeHtml } from "../escape_html.ts";
import { scrollHtml } from "../scroll_html.ts";

// Inline styles and the page's own text colour: notebooks have light and dark themes, and GitHub's viewer removes style
// elements.
const FAINT = "opacity:0.65";
const BADGE = "border:2px solid #b36b00;border-radius:3px;padding:0 4px;font-size:85%";
// Notebooks wrap cells, which breaks ids and instants.
const NO_WRAP = "white-space:nowrap";
const MAX_UNBROKEN = 60;
// Jupyter hides the triangle of a summary.
const SUMMARY = "display:list-item;cursor:pointer";
// Without a notebook's styles, cells have no padding.
const CELLS = 'cellpadding="4"';
const TABLE = "table-layout:auto;margin:0.3em 0";

/** The frame as an HTML table with its shape, its provenance and its data types. */
export function frameHtml(view: FrameView): string {
  return [
    view.held === null ? "<div>" : '<div class="scoreframe-frame">',
    shapeHtml(view),
    provenanceHtml(view),
    tableHtml(view),
    ...(view.held === null ? [] : [tableScript(view.held)]),
    "</div>",
  ].join("\n");
}

function shapeHtml(view: FrameView): string {
  const badge = syntheticBadge(view);
  const mark = badge === null ? "" : ` <span style="${BADGE}">${badge}</span>`;
  return `<div><small>${shapeText(view)}</small>${mark}</div>`;
}

function provenanceHtml(view: FrameView): string {
  const line = provenanceLine(view);
  if (line === null) return "";
  const entries = [...view.constants].map(([name, value]) =>
    `<tr><td style="text-align:left">${escapeHtml(name)}</td>` +
    `<td style="text-align:left">${cellHtml(value.text)}</td></tr>`
  );
  return `<details><summary style="${SUMMARY}"><small>${escapeHtml(line)}</small></summary>` +
    scrollHtml(
      "provenance",
      `<table ${CELLS} style="${TABLE}">${entries.join("")}</table>`,
    ) + "</details>";
}

function tableHtml(view: FrameView): string {
  const columns = withGap(view.columns, view.hidden.before);
  const head = columns.map((column) => headCell(column, view.hidden.count)).join("");
  const total = view.columns[0]?.cells.length ?? 0;
  const rows: string[] = [];
  for (let row = 0; row < total; row++) {
    if (row === view.headRows) rows.push(omittedRow(view, columns.length));
    rows.push(`<tr>${columns.map((column) => bodyCell(column, row)).join("")}</tr>`);
  }
  return scrollHtml(
    "table",
    `<table class="dataframe" ${CELLS} style="${TABLE}">` +
      `<thead><tr>${head}</tr></thead>\n<tbody>${rows.join("\n")}</tbody></table>`,
  );
}

function withGap(columns: readonly ColumnView[], before: number): (ColumnView | null)[] {
  if (before < 0) return [...columns];
  return [...columns.slice(0, before), null, ...columns.slice(before)];
}

function headCell(column: ColumnView | null, hidden: number): string {
  if (column === null) return `<th style="${FAINT}">… ${hidden} more</th>`;
  return `<th style="text-align:${column.style.align};${NO_WRAP}">${escapeHtml(column.name)}<br>` +
    `<small style="${FAINT};font-weight:normal">${escapeHtml(column.dtype)}</small></th>`;
}

function bodyCell(column: ColumnView | null, row: number): string {
  if (column === null) return `<td style="${FAINT}">…</td>`;
  const { text, full }: Cell = column.cells[row] ?? { text: null };
  const wrap = text !== null && text.length > MAX_UNBROKEN ? "" : `;${NO_WRAP}`;
  const title = full === undefined ? "" : ` title="${escapeHtml(full)}"`;
  return `<td style="text-align:${column.style.align}${wrap}"${title}>${cellHtml(text)}</td>`;
}

function cellHtml(text: string | null): string {
  if (text === null) return `<em style="${FAINT}">null</em>`;
  return text === NOT_A_NUMBER ? `<b>${text}</b>` : escapeHtml(text);
}

function omittedRow(view: FrameView, width: number): string {
  // Left-aligned, because the middle of a wide table is out of view.
  const text = `… ${groupThousands(view.omittedRows)} more`;
  return `<tr><td colspan="${width}" style="text-align:left;${FAINT}">${text}</td></tr>`;
}
