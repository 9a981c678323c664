import { execFile } from "node:child_process";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { readTextFile } from "../../base/disk/files.ts";
import { type CellRecord, CELLS_FILE, parseCells, recordCells } from "./cell_record.ts";
import type { NotebookFile } from "./notebook_file.ts";

/** Record of the cells of a notebook from the time of its outputs. */
export interface RecordedCells {
  /** The event since which edits count, worded to follow "edited since". */
  readonly since: string;
  /** The cells. */
  readonly cells: readonly CellRecord[];
}

const MAX_REVISIONS = 30;
const MAX_OUTPUT = 1 << 28;

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
