import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { readTextFile } from "../../base/disk/files.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { replaceMatches } from "../../frames/frame/replace_matches.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { compareOutputs } from "./compare_outputs.ts";
import type { ValueDifference } from "./compare_values.ts";
import { type Box, type BoxReport, type BoxTier, type ExecutedNotebook, openBox } from "./box.ts";
import {
  firstLine,
  hasTag,
  type NotebookFile,
  type NotebookOutput,
  readNotebook,
} from "./notebook_file.ts";
import { withParameters } from "./parameters.ts";

/** Options of running and comparing notebooks. */
export interface RunOptions {
  /**
   * Values for the cells tagged `parameters`, by name; resulting differences are reported, but are not failures.
   *
   * @default none
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /**
   * Largest difference of two numbers, as a share of the larger one.
   *
   * @default 1e-9
   */
  readonly tolerance?: number;
  /**
   * Regular expressions for text that may differ.
   *
   * @default none
   */
  readonly ignore?: readonly string[];
  /**
   * Time limit of a cell, in seconds.
   *
   * @default 600
   */
  readonly timeoutS?: number;
  /**
   * Runs the notebooks with the user's rights instead of in a box.
   *
   * @default false
   */
  readonly trust?: boolean;
  /** Called before each notebook is run. */
  readonly onNotebook?: (path: string, cells: number, tier: BoxTier) => void;
}

/** A cell whose output differs from the committed one. */
export interface CellDifference extends ValueDifference {
  /** Path of the notebook, relative to the study. */
  readonly notebook: string;
  /** Number of the cell, counted from 1 over all cells. */
  readonly cell: number;
  /** First line of its code. */
  readonly code: string;
  /** The parameters that were set, as an explanation; `null` without any. */
  readonly explanation: string | null;
}

/** A notebook of a study, and how its run ended. */
export interface NotebookRun {
  /** Its path, relative to the study. */
  readonly path: string;
  /** The box that it ran in; `null` if it did not run. */
  readonly box: BoxReport | null;
  /** Why it did not run; `null` if it ran. */
  readonly failure: string | null;
}

/** Result of running the notebooks of a study. */
export interface RunReport {
  /** The notebooks, sorted by path. */
  readonly notebooks: readonly NotebookRun[];
  /** Number of cells that were compared. */
  readonly cells: number;
  /** Number of cells tagged `volatile`, for which only errors count. */
  readonly volatile: number;
  /** Number of cells with outputs that a pattern of `ignore` matched. */
  readonly ignored: number;
  /** Number of pictures with equal size and different content, which are not compared. */
  readonly pictures: number;
  /** Names of this library that the study's `deno.json` maps to modules of its own; they stay the library's. */
  readonly unmapped: readonly string[];
  /** The cells that differ. */
  readonly differences: readonly CellDifference[];
}

// The kernel loses some plain outputs; a notebook with fewer outputs than before is run again.
const MAX_RUNS = 3;
const VOLATILE = "volatile";
const TIMEOUT_S = 600;

/** The notebooks of a study, relative to its folder, sorted. */
export async function findNotebooks(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) =>
    name.replaceAll(sep, "/")
  );
  return names.filter((name) =>
    name.endsWith(".ipynb") && !name.startsWith("store/") && !/(^|\/)(\.|node_modules\/)/.test(name)
  ).sort();
}

/**
 * Runs the notebooks of a frozen study in Deno kernels, in a box without a network, and compares the outputs of each
 * cell with the committed ones. Changes no file: a copy of the study is run.
 *
 * @throws {ScoreframeError} If pyzmq is missing, nothing shuts the notebooks in, or no notebook declares a given parameter
 */
export async function runNotebooks(folder: string, options: RunOptions = {}): Promise<RunReport> {
  // The box is chosen before anything of the study is read.
  const box = await openBox({ isTrusted: options.trust ?? false });
  const paths = await findNotebooks(folder);
  // An invalid pattern is reported before anything runs.
  for (const pattern of options.ignore ?? []) replaceMatches("", pattern, "");
  const used = new Set<string>();
  const runs: OneRun[] = [];
  for (const path of paths) {
    const run = runNotebook(folder, path, { used, box }, options);
    runs.push(await run.catch((error: unknown) => failedRun(path, error)));
  }
  const unused = Object.keys(options.parameters ?? {}).find((name) => !used.has(name));
  if (unused !== undefined) {
    throw new ScoreframeError(
      `Cannot set the parameter ${unused}: expected a cell tagged "parameters" that declares it, ` +
        `got none in ${paths.join(", ") || "the study, which has no notebook"}; use a ` +
        "declared one, or tag the cell",
    );
  }
  const sumOf = (name: keyof typeof NOTHING) => runs.reduce((sum, run) => sum + run[name], 0);
  return {
    notebooks: runs.map(({ path, box, failure }) => ({ path, box, failure })),
    cells: sumOf("cells"),
    volatile: sumOf("volatile"),
    ignored: sumOf("ignored"),
    pictures: sumOf("pictures"),
    unmapped: [...new Set(runs.flatMap(({ unmapped }) => unmapped))],
    differences: runs.flatMap(({ differences }) => differences),
  };
}

type OneRun = NotebookRun & Omit<RunReport, "notebooks">;

const NOTHING = { cells: 0, volatile: 0, ignored: 0, pictures: 0 };

// A notebook that does not run is told with the others, which do.
function failedRun(path: string, error: unknown): OneRun {
  if (!(error instanceof ScoreframeError)) throw error;
  const failure = error.message;
  return { path, box: null, failure, ...NOTHING, unmapped: [], differences: [] };
}

async function runNotebook(
  folder: string,
  path: string,
  { used, box }: { readonly used: Set<string>; readonly box: Box },
  options: RunOptions,
): Promise<OneRun> {
  const { parameters = {}, timeoutS = TIMEOUT_S } = options;
  const notebook = readNotebook(`run ${path}`, await readTextFile(join(folder, path)) ?? "");
  options.onNotebook?.(path, notebook.cells.length, box.tier);
  const set = new Set<string>();
  const prepared = withParameters(notebook, parameters, set);
  for (const name of set) used.add(name);
  let best: Compared | null = null;
  for (let run = 0; run < MAX_RUNS; run++) {
    const executed = await box.execute(prepared, { folder, path, timeoutS });
    const compared = compareCells(notebook, executed, path, options);
    const { ended } = executed;
    if (ended !== null || compared.differences.length < (best?.differences.length ?? Infinity)) {
      best = compared;
    }
    // A kernel that ended once would end again.
    if (ended !== null) break;
    if (!best!.differences.some(({ where }) => where === "number of outputs")) break;
  }
  const explanation = set.size > 0 ? setWords(set) : null;
  const differences = best!.differences.map((one) => ({ ...one, explanation }));
  return { ...best!, path, failure: null, differences };
}

function setWords(names: ReadonlySet<string>): string {
  const [word, verb] = names.size === 1 ? ["parameter", "was"] : ["parameters", "were"];
  return `the ${word} ${[...names].join(", ")} ${verb} set`;
}

interface Compared extends Pick<OneRun, keyof typeof NOTHING | "box" | "unmapped"> {
  readonly differences: readonly Omit<CellDifference, "explanation">[];
}

function compareCells(
  notebook: NotebookFile,
  executed: ExecutedNotebook,
  path: string,
  options: RunOptions,
): Compared {
  const { tolerance = 1e-9, ignore = [] } = options;
  const differences: Omit<CellDifference, "explanation">[] = [];
  let [cells, volatile, ignored, pictures] = [0, 0, 0, 0];
  for (const [i, cell] of notebook.cells.entries()) {
    if (cell.cell_type !== "code") continue;
    // The output of a volatile cell may vary, but it must not fail.
    const isVolatile = hasTag(cell, VOLATILE);
    if (isVolatile) volatile++;
    else cells++;
    const [expected, found] = [cell.outputs ?? [], executed.cells[i + 1]?.outputs ?? []]
      .map((outputs) => isVolatile ? outputs.filter(isError) : outputs);
    const tally = { pictures: 0, isIgnored: false };
    const difference = endOf(executed, i, options) ??
      compareOutputs(expected!, found!, { tolerance, ignore, tally });
    ignored += tally.isIgnored ? 1 : 0;
    pictures += tally.pictures;
    if (difference === null) continue;
    const code = firstLine(cell.source);
    differences.push({ notebook: path, cell: i + 1, code, ...difference });
  }
  const { box, unmapped } = executed;
  return { cells, volatile, ignored, pictures, box, unmapped, differences };
}

// The first executed cell is that of the box.
function endOf(
  { ended, rewritten }: ExecutedNotebook,
  cell: number,
  { timeoutS = TIMEOUT_S }: RunOptions,
): ValueDifference | null {
  if (rewritten.includes(cell + 1)) {
    const found = `it changed ${LOCK_FILE}, in the copy that was run`;
    const expected = "a cell that does not change the lock";
    return { where: "error", expected, found, isFailure: true };
  }
  if (ended === null || ended.cell > cell + 1) return null;
  const isOwn = ended.cell === cell + 1;
  const how = ended.why === "timeout"
    ? `one that ran longer than ${timeoutS} s`
    : "one that ended the kernel";
  const found = isOwn ? how : "none, because an earlier cell ended the run";
  return { where: "error", expected: "a cell that ends", found, isFailure: true };
}

function isError(output: NotebookOutput): boolean {
  return output.output_type === "error";
}
