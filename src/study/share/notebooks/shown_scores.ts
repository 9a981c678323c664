import { htmlCells } from "../../run/html_cells.ts";
import { joined, type NotebookFile } from "../../run/notebook_file.ts";

// A header has the name before the type: "ecpnd_score Float64".
const SCORE = /^(\w+_)?score(\s|$)/i;
const NUMBER = /^[-+\u2212]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?$/i;

/**
 * Number of scores in the saved outputs of a notebook: numbers in columns `score` or `…_score` of HTML tables. A lower
 * bound: texts, pictures, and tables with a column per ticker are not counted.
 */
export function shownScores({ cells }: NotebookFile): number {
  const outputs = cells.flatMap((cell) => cell.outputs ?? []);
  const tables = outputs.flatMap(({ data }) => joined(data?.["text/html"]).split(/<\/table>/i));
  return tables.reduce((sum, table) => sum + scoresOf(table), 0);
}

function scoresOf(table: string): number {
  const { rows: [header = [], ...rows] } = htmlCells(table);
  const columns = [...header.keys()].filter((i) => SCORE.test(header[i]!));
  // pandas and others begin rows with an index that has no header cell, or an empty one, so columns count from the end.
  return rows.reduce(
    (sum, row) =>
      sum + columns.filter((i) => NUMBER.test(row[row.length - header.length + i]?.trim() ?? ""))
        .length,
    0,
  );
}
