import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { provenanceLine, shapeText, syntheticBadge } from "./_caption.ts";
import type { ColumnView, FrameView } from "./_frame_view.ts";

const GAP = "  ";

/** The frame as plain text, with the content of the HTML table. */
export function frameText(view: FrameView): string {
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
  const columns = view.columns.map(paddedColumn);
  if (view.hidden.before >= 0) columns.splice(view.hidden.before, 0, hiddenColumn(view));
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

function hiddenColumn(view: FrameView): string[] {
  const count = `… ${view.hidden.count} more`;
  const rows = (view.columns[0]?.cells.length ?? 0) + 1;
  return [count, ...Array.from({ length: rows }, () => "…".padEnd(count.length))];
}

function columnsOf(text: string): number {
  return [...text].length;
}
