import process from "node:process";
import {
  either,
  exactly,
  numbers,
  type OptionRules,
} from "../../../base/arguments/check_options.ts";
import {
  baseProvenanceName,
  type ColumnView,
  type FrameView,
  readFrameView,
} from "./_frame_view.ts";
import type { MimeBundle } from "../display.ts";
import { findKernel } from "../kernel/kernel.ts";
import type { FrameLike } from "./frame_like.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { NOT_A_NUMBER } from "./_cell.ts";
import { tableScript } from "./table_script.ts";
import { escapeHtml, scrollHtml } from "../html.ts";
import { countText } from "../../../base/wording/number_text.ts";

/** Limits of a shown frame. */
export interface FrameDisplayOptions {
  /**
   * Rows shown at each end.
   * @default 5
   */
  readonly edgeRows?: number;
  /**
   * Largest number of shown columns; provenance columns in the caption do not count.
   * @default 12
   */
  readonly maxColumns?: number;
  /**
   * Longest text in characters.
   * @default 40, and 9 for ids of sets and releases beside tickers
   */
  readonly maxTextLength?: number;
  /**
   * Rows held in the output for sorting, searching and paging, half of them the first and half the last ones; 0 creates a table
   * without a script, as `SCOREFRAME_DISPLAY=static` in the environment does for all tables.
   * @default as many as fit into 64 kB, at most 5,000, of a frame of more than 10 rows
   */
  readonly heldRows?: number;
}

/** Options of {@link frameBundle}. */
export interface FrameBundleOptions extends FrameDisplayOptions {
  /**
   * Number of tables that share an output and its size.
   * @default 1
   */
  readonly tables?: number;
}

const ROWS = numbers(
  "a whole number of at least 1, or Infinity",
  (value) => value === Infinity || (Number.isInteger(value) && value >= 1),
);

/** Accepted limits of a shown frame. */
export const DISPLAY_RULES: OptionRules<FrameDisplayOptions> = {
  edgeRows: ROWS,
  maxColumns: ROWS,
  maxTextLength: ROWS,
  heldRows: either(exactly(0), ROWS),
};

const HELD_LENGTH = 64_000;

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

const GAP = "  ";
/** Data type of the column that stands for hidden ones. */
const MORE = "…";

const ID_LENGTH = 8;

/**
 * Display of a frame in a notebook, as `text/html` and `text/plain`.
 *
 * Provenance columns with one value in all rows are in the caption; the others follow the measurements. Missing values are
 * written `null`, scores with four decimals, other numbers with the digits that their column needs; a tooltip shows the whole
 * value. A text that is empty, blank, or looks like `null` or `NaN` is quoted. Where scripts run, a table of more than ten rows
 * can be sorted, searched and paged. `application/vnd.dataresource+json` is omitted: VS Code would prefer it and show nothing.
 */
export function frameBundle(frame: FrameLike, options: FrameBundleOptions = {}): MimeBundle {
  const { edgeRows = 5, maxColumns = 12, maxTextLength, heldRows, tables = 1 } = options;
  const isStatic = findKernel() !== null && process.env["SCOREFRAME_DISPLAY"] === "static";
  const view = readFrameView(frame, {
    edgeRows,
    maxColumns,
    maxTextLength,
    heldRows: heldRows ?? (isStatic ? 0 : undefined),
    heldLength: HELD_LENGTH / tables,
  });
  return { "text/html": frameHtml(view), "text/plain": frameText(view) };
}

/** Display of a frame in a terminal. */
export function formatFrame(frame: FrameLike, options: FrameDisplayOptions = {}): string {
  return String(frameBundle(frame, options)["text/plain"]);
}

/** The frame as an HTML table with its shape, its provenance and its data types. */
function frameHtml(view: FrameView): string {
  const badge = syntheticBadge(view);
  const mark = badge === null ? "" : ` <span style="${BADGE}">${badge}</span>`;
  return [
    view.held === null ? "<div>" : '<div class="scoreframe-frame">',
    `<div><small>${shapeText(view)}</small>${mark}</div>`,
    provenanceHtml(view),
    tableHtml(view),
    ...(view.held === null ? [] : [tableScript(view.held)]),
    "</div>",
  ].join("\n");
}

function provenanceHtml(view: FrameView): string {
  const line = provenanceLine(view);
  if (line === null) return "";
  const entries = [...view.constants].map(([name, value]) =>
    `<tr><td style="text-align:left">${escapeHtml(name)}</td>` +
    `<td style="text-align:left">${cellHtml(value.text)}</td></tr>`
  );
  const table = `<table ${CELLS} style="${TABLE}">${entries.join("")}</table>`;
  return `<details><summary style="${SUMMARY}"><small>${escapeHtml(line)}</small></summary>` +
    `${scrollHtml("provenance", table)}</details>`;
}

function tableHtml(view: FrameView): string {
  const columns = withGap(view);
  const head = columns.map(headCell).join("");
  const total = view.columns[0]?.cells.length ?? 0;
  const rows: string[] = [];
  for (let row = 0; row < total; row++) {
    // Left-aligned, because the middle of a wide table is out of view.
    const style = `text-align:left;${FAINT}`;
    const more = `… ${groupThousands(view.omittedRows)} more`;
    const gap = `<tr><td colspan="${columns.length}" style="${style}">${more}</td></tr>`;
    if (row === view.headRows) rows.push(gap);
    rows.push(`<tr>${columns.map((column) => bodyCell(column, row)).join("")}</tr>`);
  }
  return scrollHtml(
    "table",
    `<table class="dataframe" ${CELLS} style="${TABLE}">` +
      `<thead><tr>${head}</tr></thead>\n<tbody>${rows.join("\n")}</tbody></table>`,
  );
}

/** The shown columns, with one for those that are hidden. */
function withGap({ columns, hidden: { count, before } }: FrameView): readonly ColumnView[] {
  if (before < 0) return columns;
  const { style, cells } = columns[0]!;
  const gap = { name: `… ${count} more`, dtype: MORE, cells: cells.map(() => ({ text: MORE })) };
  return columns.toSpliced(before, 0, { ...gap, style: { ...style, align: "left" } });
}

function headCell({ name, dtype, style }: ColumnView): string {
  if (dtype === MORE) return `<th style="${FAINT}">${name}</th>`;
  return `<th style="text-align:${style.align};${NO_WRAP}">${escapeHtml(name)}<br>` +
    `<small style="${FAINT};font-weight:normal">${escapeHtml(dtype)}</small></th>`;
}

function bodyCell(column: ColumnView, row: number): string {
  if (column.dtype === MORE) return `<td style="${FAINT}">${MORE}</td>`;
  const { text, full } = column.cells[row]!;
  const wrap = text !== null && text.length > MAX_UNBROKEN ? "" : `;${NO_WRAP}`;
  const title = full === undefined ? "" : ` title="${escapeHtml(full)}"`;
  return `<td style="text-align:${column.style.align}${wrap}"${title}>${cellHtml(text)}</td>`;
}

function cellHtml(text: string | null): string {
  if (text === null) return `<em style="${FAINT}">null</em>`;
  return text === NOT_A_NUMBER ? `<b>${text}</b>` : escapeHtml(text);
}

/** The frame as plain text, with the content of the HTML table. */
function frameText(view: FrameView): string {
  const badge = syntheticBadge(view);
  const line = provenanceLine(view);
  return [
    badge === null ? shapeText(view) : `${shapeText(view)} [${badge}]`,
    ...(line === null ? [] : [line]),
    ...tableLines(view),
  ].join("\n");
}

function tableLines(view: FrameView): string[] {
  if (view.columns.length === 0) return [];
  const columns = withGap(view).map(paddedColumn);
  const rows = columns[0]!.length;
  const lines: string[] = [];
  for (let row = 0; row < rows; row++) {
    // Name and data type are above the rows; without a gap there are no rows after the first ones.
    if (row === view.headRows + 2) lines.push(`… ${groupThousands(view.omittedRows)} more`);
    lines.push(columns.map((column) => column[row]!).join(GAP).trimEnd());
  }
  return lines;
}

function paddedColumn(column: ColumnView): string[] {
  const texts = [column.name, column.dtype, ...column.cells.map(({ text }) => text ?? "null")];
  const width = Math.max(...texts.map(columnsOf));
  return texts.map((text) => {
    const padding = " ".repeat(width - columnsOf(text));
    return column.style.align === "right" ? padding + text : text + padding;
  });
}

function columnsOf(text: string): number {
  return [...text].length;
}

/** `60 rows × 13 columns`. */
function shapeText(view: FrameView): string {
  const rows = countText(view.height, "row");
  return `${rows} × ${countText(view.width, "column")}`;
}

/** Line about the provenance of the rows and their hold-out; `null` if nothing applies to all rows. */
function provenanceLine(view: FrameView): string | null {
  const factor = constant(view, "factor");
  const version = constant(view, "factor_version");
  const parts = [
    factor !== null && version !== null ? `${factor} (${version})` : factor ?? version,
    labelled(view, "status", ""),
    shortId(view, "snapshot_id", "set"),
    shortId(view, "download_sha256", "release"),
    labelled(view, "calculated_at", "published"),
    labelled(view, "last_checked_at", "checked"),
    labelled(view, "data_through", "data through"),
    sources(view),
    view.heldOut,
  ];
  return parts.filter((part) => part !== null).join(" · ") || null;
}

function labelled(view: FrameView, column: string, label: string): string | null {
  const value = constant(view, column);
  if (value === null) return null;
  // The column holds the exact instant.
  return label === "" ? value : `${label} ${value.replace(/(\d{2}:\d{2}):\d{2}(\.\d+)?Z$/, "$1Z")}`;
}

/** Common value of all rows, in one column or in several equal ones: one per factor, or from a join. */
function constant(view: FrameView, column: string): string | null {
  const found = constantsOf(view, column);
  return new Set(found.map(([, text]) => text)).size === 1 ? found[0]![1] : null;
}

/** Sources by column if they differ, such as `ecpnd_source store`. */
function sources(view: FrameView): string | null {
  const found = constantsOf(view, "source");
  const isOne = new Set(found.map(([, text]) => text)).size <= 1;
  return isOne ? found[0]?.[1] ?? null : found.map((entry) => entry.join(" ")).join(" · ");
}

function constantsOf(view: FrameView, column: string): (readonly [string, string | null])[] {
  return [...view.constants].filter(([name]) => baseProvenanceName(name) === column)
    .map(([name, { text }]) => [name, text] as const);
}

function shortId(view: FrameView, column: string, label: string): string | null {
  const value = constant(view, column);
  return value === null ? null : `${label} ${value.slice(0, ID_LENGTH)}…`;
}

/** Badge of a frame with synthetic rows, or `null` for real data. */
function syntheticBadge(view: FrameView): string | null {
  if (view.synthetic === "none") return null;
  return view.synthetic === "all" ? "synthetic" : "partly synthetic";
}
