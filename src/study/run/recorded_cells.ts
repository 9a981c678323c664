import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type CellRecord, CELLS_FILE, parseCells, recordCells } from "./cell_record.ts";
import type { NotebookFile } from "./notebook_file.ts";

/** The cells of a notebook as they were when its outputs were recorded. */
export interface RecordedCells {
  /** Since when, to stand behind "edited since". */
  readonly since: string;
  /** The cells. */
  readonly cells: readonly CellRecord[];
}

const MAX_REVISIONS = 30;
const MAX_OUTPUT = 1 << 28;

/**
 * The cells of a notebook as they were when its outputs were recorded: those of the export, if it was imported, else, under
 * git, those of the revision in which its outputs changed last. `null` if neither knows.
 */
export async function recordedCells(folder: string, path: string): Promise<RecordedCells | null> {
  const text = await readFile(join(folder, CELLS_FILE), "utf8").catch(() => "");
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
    // Code that was committed under the same outputs is not the one that gave them.
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
    // A revision in the middle of a merge is no notebook.
    return null;
  }
}

async function git(path: string, ...args: readonly string[]): Promise<string | null> {
  const run = promisify(execFile)("git", ["-C", dirname(path), ...args], { maxBuffer: MAX_OUTPUT });
  return await run.then(({ stdout }) => stdout, () => null);
}
