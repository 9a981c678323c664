import type { RowsFault } from "./fault_rule.ts";

/** Breaks a rule of the rows in the text of a score response (JSON or CSV). */
export function spoilRows(text: string, kind: RowsFault["kind"]): string {
  if (!text.startsWith("{")) {
    const [header = "", ...lines] = text.trimEnd().split("\n");
    return `${[header, ...spoil(lines, kind, beyondOneLine)].join("\n")}\n`;
  }
  const set = JSON.parse(text) as { scores: Record<string, unknown>[]; score_name: string };
  const beyondOne = (row: Record<string, unknown>) => ({ ...row, [set.score_name]: 1.5 });
  return JSON.stringify({ ...set, scores: spoil(set.scores, kind, beyondOne) });
}

function beyondOneLine(line: string): string {
  return `${line.split(",")[0]},1.5`;
}

function spoil<Row>(
  rows: readonly Row[],
  kind: RowsFault["kind"],
  beyondOne: (row: Row) => Row,
): readonly Row[] {
  const [first, second, ...rest] = rows;
  if (first === undefined) return rows;
  switch (kind) {
    case "duplicate_row":
      return [...rows, rows.at(-1)!];
    case "missing_row":
      return rows.slice(0, -1);
    case "unsorted_rows":
      return second === undefined ? rows : [second, first, ...rest];
    case "score_out_of_range":
      return [beyondOne(first), ...rows.slice(1)];
  }
}
