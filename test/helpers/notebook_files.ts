import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareOutputs } from "../../src/study/run/compare_outputs.ts";
import { hasTag, joined, type NotebookOutput } from "../../src/study/run/notebook_file.ts";
import type { Notebook, NotebookCell } from "./jupyter.ts";
import { ROOT } from "./source_files.ts";

/** The folder of the notebooks. */
export const NOTEBOOKS: string = join(ROOT, "notebooks");

/** Paths in that folder, sorted. A notebook that is part of a study stands in the folder of the study. */
export const notebookNames: readonly string[] = (await readdir(NOTEBOOKS, { recursive: true }))
  .filter((name) => name.endsWith(".ipynb") && !/-changed\.ipynb$|\.ipynb_checkpoints/.test(name))
  .toSorted();

/** Reads one. */
export async function readNotebook(name: string): Promise<Notebook> {
  return JSON.parse(await readFile(join(NOTEBOOKS, name), "utf8"));
}

/** The text of a cell. */
export function sourceOf(cell: NotebookCell): string {
  return joined(cell.source);
}

/** Its cells of code. */
export function codeCells(notebook: Notebook): readonly NotebookCell[] {
  return notebook.cells.filter((cell) => cell.cell_type === "code");
}

/** Where two runs of a notebook show something else, each output compared by what it is; a line a cell. */
export function differencesOf(
  committed: Notebook,
  executed: Notebook,
  ignore: readonly RegExp[] = [],
): readonly string[] {
  const [before, after] = [codeCells(committed), codeCells(executed)];
  return before.flatMap((cell, i) => {
    if (hasTag(cell, "volatile")) return [];
    // The ids of requests are the service's own, and new each time.
    const options = { tolerance: 1e-9, ignore: [/request [0-9a-f-]{36}/g, ...ignore] };
    const difference = compareOutputs(outputsOf(cell), outputsOf(after[i]!), options);
    if (difference === null) return [];
    const { where, expected, found } = difference;
    return [`cell of "${sourceOf(cell).split("\n")[0]}", ${where}: ${expected} became ${found}`];
  });
}

const MAX_RUNS = 3;
const LOST = /number of outputs/;

/** Runs again what a busy kernel lost outputs of; a run tells its differences. */
export async function runWhole(run: () => Promise<readonly string[]>): Promise<readonly string[]> {
  let differences = await run();
  for (let runs = 1; runs < MAX_RUNS && differences.some((line) => LOST.test(line)); runs++) {
    differences = await run();
  }
  return differences;
}

function outputsOf(cell: NotebookCell): readonly NotebookOutput[] {
  return (cell.outputs ?? []) as readonly NotebookOutput[];
}
