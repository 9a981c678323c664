import type { DataFrame } from "nodejs-polars";
import { escapeHtml } from "../../../frames/notebook/escape_html.ts";
import { type ShownCell, type ShownColumn, shownTable } from "./shown_table.ts";

// Longer texts have several lines in a table; shorter ones, broken in a narrow column, would make a row high.
const MAX_UNBROKEN = 40;
// Characters that fit into one of two columns of a page.
const NARROW = 74;

/** A table with its caption, in a region that can be scrolled with the keyboard. */
export function tableHtml(caption: string, frame: DataFrame): string {
  const columns = shownTable(frame);
  const head = columns.map(({ name, isNumber }) =>
    `<th scope="col"${isNumber ? ' class="number"' : ""}>${escapeHtml(name)}</th>`
  );
  const rows = Array.from(
    { length: frame.height },
    (_, at) => `<tr>${columns.map((column) => cellHtml(column.cells[at]!, column)).join("")}</tr>`,
  );
  const isWide = columns.reduce((sum, column) => sum + widthOf(column), 0) > NARROW;
  const title = escapeHtml(caption);
  const none = frame.height === 0 ? " (no rows)" : "";
  return `<div class="table${
    isWide ? " wide" : ""
  }" role="region" tabindex="0" aria-label="${title}">` +
    `<table><caption>${title}${none}</caption><thead><tr>${head.join("")}</tr></thead><tbody>\n${
      rows.join("\n")
    }\n</tbody></table></div>`;
}

/** Width of a column in characters, with its gap; the heading may be broken. */
function widthOf({ name, cells }: ShownColumn): number {
  const words = name.split(" ").map((word) => word.length);
  return Math.max(...words, ...cells.map(({ text }) => text.length)) + 1.5;
}

function cellHtml({ text, isNone, isDate }: ShownCell, { isNumber }: ShownColumn): string {
  const kinds = [
    ...(isNone ? ["none"] : []),
    ...(isNumber ? ["number"] : []),
    ...(isDate ? ["date"] : []),
    ...(text.length > MAX_UNBROKEN ? ["long"] : []),
  ].join(" ");
  return `<td${kinds === "" ? "" : ` class="${kinds}"`}>${escapeHtml(text)}</td>`;
}
