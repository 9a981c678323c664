import { join } from "node:path";
import {
  type CellRecord,
  CELLS_FILE,
  hashOutputs,
  parseCells,
  recordCells,
} from "./cell_record.ts";
import { hasTag, joined, type NotebookCell, type NotebookFile } from "./notebook_file.ts";
import { readTextFile } from "../../base/disk/files.ts";

/** A cell whose code or output differs from the record. */
export interface EditedCell {
  /** Number of the cell, counted from 1 over all cells. */
  readonly cell: number;
  /** First line of its code. */
  readonly code: string;
  /** The edited parts. */
  readonly edited: readonly EditedPart[];
}

type EditedPart = "added" | "code" | "output" | "tag volatile" | "output or its tag volatile";

/** Edits of a notebook since the export of its study. */
export interface NotebookEdits {
  /** The edited cells, in order. */
  readonly cells: readonly EditedCell[];
  /** Number of code cells that were removed. */
  readonly removed: number;
}

/** Compares the cells of a notebook with its record. */
export function findEdits(
  notebook: NotebookFile,
  recorded: readonly CellRecord[],
): NotebookEdits {
  const known = new Map(recorded.map((record) => [record.id, record]));
  const records = recordCells(notebook);
  const places = notebook.cells.flatMap((cell, i) => cell.cell_type === "code" ? [i] : []);
  const cells = records.flatMap((record, i): EditedCell[] => {
    const place = places[i]!;
    const before = known.get(record.id);
    const edited: EditedCell["edited"] = before === undefined ? ["added"] : [
      ...(before.code === record.code ? [] : ["code" as const]),
      ...(before.outputs === record.outputs ? [] : outputParts(notebook.cells[place]!, before)),
    ];
    const code = firstLine(notebook.cells[place]!.source);
    return edited.length === 0 ? [] : [{ cell: place + 1, code, edited }];
  });
  const present = new Set(records.map(({ id }) => id));
  const removed = recorded.filter(({ id }) => !present.has(id)).length;
  return { cells, removed };
}

// The record of a volatile cell has no outputs, and so does not tell it from a cell without any.
function outputParts(cell: NotebookCell, before: CellRecord): readonly EditedPart[] {
  if (!hasTag(cell, "volatile")) {
    return [before.outputs === "" ? "output or its tag volatile" : "output"];
  }
  return before.outputs === hashOutputs(cell) ? ["tag volatile"] : ["output", "tag volatile"];
}

/** The edits that explain a changed output of a cell; `null` if no record exists. */
export function explainCell(cell: number, edits: NotebookEdits | null): string | null {
  if (edits === null) return null;
  const { cells, removed } = edits;
  const own = cells.find((edit) => edit.cell === cell);
  const earlier = cells.filter((edit) =>
    edit.cell < cell && edit.edited.some((part) => part === "added" || part === "code")
  );
  const reasons = [
    ...(own === undefined ? [] : [`${editWords(own)} since the export`]),
    ...earlier.map((edit) => `${editWords(edit, `cell ${edit.cell}`)} since the export`),
    ...(removed === 0 ? [] : [`${removed} of the notebook's cells were removed since the export`]),
  ];
  return reasons.length > 0
    ? reasons.join(", ")
    : `neither it nor an earlier cell was edited since the export`;
}

/** Description of the edits of a cell. */
export function editWords({ edited }: EditedCell, cell = "it"): string {
  if (edited.includes("added")) return `${cell} was added`;
  const whose = cell === "it" ? "its" : `${cell}'s`;
  const verb = edited.length === 1 ? "was" : "were";
  return `${whose} ${edited.join(" and its ")} ${verb} edited`;
}

/** The first line of a cell's code. */
export function firstLine(source: unknown): string {
  return joined(source).trim().split("\n")[0] ?? "";
}

/** The cells of a notebook as the export of the study recorded them; `null` without a record. */
export async function recordedCells(
  folder: string,
  path: string,
): Promise<readonly CellRecord[] | null> {
  const text = await readTextFile(join(folder, CELLS_FILE)).catch(() => null) ?? "";
  const cells = parseCells(text, path);
  return cells.length > 0 ? cells : null;
}
