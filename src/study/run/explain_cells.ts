import { execFile } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import {
  type CellRecord,
  CELLS_FILE,
  hashOutputs,
  parseCells,
  recordCells,
} from "./cell_record.ts";
import { hasTag, joined, type NotebookCell, type NotebookFile } from "./notebook_file.ts";
import { readTextFile } from "../../base/disk/files.ts";

const MAX_REVISIONS = 30;
const MAX_OUTPUT = 1 << 28;

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

/** Edits of a notebook since its outputs were recorded. */
export interface NotebookEdits {
  /** The event since which edits count, worded to follow "edited since". */
  readonly since: string;
  /** The edited cells, in order. */
  readonly cells: readonly EditedCell[];
  /** Number of code cells that were removed. */
  readonly removed: number;
}

/** Compares the cells of a notebook with its record. */
export function findEdits(notebook: NotebookFile, recorded: RecordedCells): NotebookEdits {
  const known = new Map(recorded.cells.map((record) => [record.id, record]));
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
  const removed = recorded.cells.filter(({ id }) => !present.has(id)).length;
  return { since: recorded.since, cells, removed };
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
  const { since, cells, removed } = edits;
  const own = cells.find((edit) => edit.cell === cell);
  const earlier = cells.filter((edit) =>
    edit.cell < cell && edit.edited.some((part) => part === "added" || part === "code")
  );
  const reasons = [
    ...(own === undefined ? [] : [`${editWords(own)} since ${since}`]),
    ...earlier.map((edit) => `${editWords(edit, `cell ${edit.cell}`)} since ${since}`),
    ...(removed === 0 ? [] : [`${removed} of the notebook's cells were removed since ${since}`]),
  ];
  return reasons.length > 0
    ? reasons.join(", ")
    : `neither it nor an earlier cell was edited since ${since}`;
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

/** Record of the cells of a notebook from the time of its outputs. */
interface RecordedCells {
  /** The event since which edits count, worded to follow "edited since". */
  readonly since: string;
  /** The cells. */
  readonly cells: readonly CellRecord[];
}

/**
 * Finds the record of the cells of a notebook: that of the export if the study was imported, otherwise the git revision
 * that last changed its outputs. `null` if neither exists.
 */
export async function recordedCells(folder: string, path: string): Promise<RecordedCells | null> {
  const text = await readTextFile(join(folder, CELLS_FILE)).catch(() => null) ?? "";
  const exported = parseCells(text, path);
  if (exported.length > 0) return { since: "the export", cells: exported };
  const committed = await committedCells(join(folder, path));
  return committed === null ? null : { since: "its outputs were committed", cells: committed };
}

async function committedCells(path: string): Promise<readonly CellRecord[] | null> {
  const log = await git(path, "log", `-${MAX_REVISIONS}`, "--format=%H", "--", basename(path));
  const revisions = (log ?? "").split("\n").filter((revision) => revision !== "");
  let recorded: readonly CellRecord[] | null = null;
  for (const revision of revisions) {
    const cells = await cellsOf(path, revision);
    if (cells === null) break;
    // Code committed later with unchanged outputs did not produce them.
    if (recorded !== null && outputsOf(cells) !== outputsOf(recorded)) break;
    recorded = cells;
  }
  return recorded;
}

function outputsOf(cells: readonly CellRecord[]): string {
  const shown = cells.filter(({ outputs }) => outputs !== "");
  return JSON.stringify(shown.map(({ id, outputs }) => [id, outputs]));
}

async function cellsOf(path: string, revision: string): Promise<readonly CellRecord[] | null> {
  const text = await git(path, "show", `${revision}:./${basename(path)}`);
  if (text === null) return null;
  try {
    return recordCells(JSON.parse(text) as NotebookFile);
  } catch {
    // A revision with merge conflicts is no valid notebook.
    return null;
  }
}

async function git(path: string, ...args: readonly string[]): Promise<string | null> {
  const run = promisify(execFile)("git", ["-C", dirname(path), ...args], { maxBuffer: MAX_OUTPUT });
  return await run.then(({ stdout }) => stdout, () => null);
}
