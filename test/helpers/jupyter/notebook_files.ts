import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareOutputs } from "../../../src/study/run/compare_outputs.ts";
import { hasTag, joined, type NotebookOutput } from "../../../src/study/run/notebook_file.ts";
import type { Notebook, NotebookCell } from "./jupyter.ts";
import { type LostOutput, lostOutputs } from "./lost_outputs.ts";
import { ROOT } from "../source_files.ts";

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

/** What a cell shows otherwise than before. */
export interface CellDifference {
  /** The cell and what differs, in a line. */
  readonly line: string;
  /** The outputs that are lost, if nothing else differs. */
  readonly lost: readonly LostOutput[];
}

/** Where two runs of a notebook show something else, each output compared by what it is. */
export function differencesOf(
  committed: Notebook,
  executed: Notebook,
  ignore: readonly string[] = [],
): readonly CellDifference[] {
  const [before, after] = [codeCells(committed), codeCells(executed)];
  return before.flatMap((cell, i) => {
    if (hasTag(cell, "volatile")) return [];
    // The ids of requests are the service's own, and new each time.
    const options = { tolerance: 1e-9, ignore: ["request [0-9a-f-]{36}", ...ignore] };
    const [expected, found] = [outputsOf(cell), outputsOf(after[i]!)];
    const difference = compareOutputs(expected, found, options);
    if (difference === null) return [];
    const named = `cell of "${sourceOf(cell).split("\n")[0]}"`;
    const lost = lostOutputs(expected, found, options) ?? [];
    const { where, expected: was, found: is } = difference;
    const line = lost.length === 0
      ? `${named}, ${where}: ${was} became ${is}`
      : `${named}: ${lost.map(({ sentBy, what }) => `${sentBy} lost ${what}`).join("; ")}`;
    return [{ line, lost }];
  });
}

/** How {@link runWhole} is told. */
export interface RunWholeOptions {
  /** Where a repetition is told. @default the log of the test */
  readonly say?: (line: string) => void;
}

const MAX_RUNS = 3;

/**
 * Runs a notebook, and again where outputs are lost and nothing else differs, which it says. The kernel is known to lose what is
 * printed or shown as text. Of the outputs that this library sends, one was lost in some thirty runs of the suite: a single one is
 * repeated, once. A run tells its differences.
 */
export async function runWhole(
  name: string,
  run: () => Promise<readonly CellDifference[]>,
  { say = (line) => globalThis.console.warn(line) }: RunWholeOptions = {},
): Promise<readonly string[]> {
  for (let runs = 1;; runs++) {
    const differences = await run();
    const lines = differences.map(({ line }) => line);
    const isOver = lines.length === 0 || runs === MAX_RUNS;
    if (isOver || !isBearable(differences, runs)) return lines;
    say(`REPEATED, ${name} after run ${runs} of at most ${MAX_RUNS}: ${lines.join("; ")}`);
  }
}

function isBearable(differences: readonly CellDifference[], runs: number): boolean {
  const ours = differences.flatMap(({ lost }) => lost)
    .filter(({ sentBy }) => sentBy === "this library").length;
  return differences.every(({ lost }) => lost.length > 0) && ours <= (runs === 1 ? 1 : 0);
}

function outputsOf(cell: NotebookCell): readonly NotebookOutput[] {
  return (cell.outputs ?? []) as readonly NotebookOutput[];
}
