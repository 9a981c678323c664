import { readdir, readFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { ScoreframeError } from "../../errors.ts";
import { compareOutputs } from "./compare_outputs.ts";
import type { ValueDifference } from "./compare_values.ts";
import { type EditedCell, explainCell, findEdits, firstLine } from "./explain_cells.ts";
import { type Jupyter, openJupyter } from "./jupyter.ts";
import { libraryFolder } from "./library_folder.ts";
import {
  hasTag,
  type NotebookCell,
  type NotebookFile,
  type NotebookOutput,
} from "./notebook_file.ts";
import { withParameters } from "./parameters.ts";
import { recordedCells } from "./recorded_cells.ts";

/** How notebooks are run and compared. */
export interface RunOptions {
  /**
   * Values for the cells tagged `parameters`, by name; what then differs is told and counts as meant.
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
   * Regular expressions of what may differ.
   *
   * @default none
   */
  readonly ignore?: readonly string[];
  /** Told of each notebook before it is run, and whether it runs with this library because its project has none. */
  readonly onNotebook?: (path: string, cells: number, isBorrowed: boolean) => void;
}

/** A cell that shows something else than it was committed with. */
export interface CellDifference extends ValueDifference {
  /** Path of the notebook, relative to the study. */
  readonly notebook: string;
  /** Number of the cell, counted from 1 over all cells. */
  readonly cell: number;
  /** First line of its code. */
  readonly code: string;
  /** What was edited that explains it; `null` if neither an export nor git knows. */
  readonly explanation: string | null;
}

/** A cell that was edited since its output was recorded. */
export interface EditedNotebookCell extends EditedCell {
  /** Path of the notebook, relative to the study. */
  readonly notebook: string;
  /** Since when, to stand behind "edited since". */
  readonly since: string;
}

/** What running the notebooks of a study found. */
export interface RunReport {
  /** The notebooks that were run, sorted. */
  readonly notebooks: readonly string[];
  /** Number of cells that were compared. */
  readonly cells: number;
  /** The cells that differ. */
  readonly differences: readonly CellDifference[];
  /** The cells that were edited since their outputs were recorded, as far as an export or git knows. */
  readonly edited: readonly EditedNotebookCell[];
}

// The kernel loses some of the plain outputs; a cell that shows less than it did is run again.
const MAX_RUNS = 3;
const VOLATILE = "volatile";
const FROZEN = { SCOREFRAME_STUDY_MODE: "frozen", SCOREFRAME_API_KEY: "", DENO_NO_PROMPT: "1" };
// The kernel's own sockets do not ask for this permission; whatever a cell opens does.
const OFFLINE = 'await Deno.permissions.revoke({ name: "net" });';

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
 * Runs the notebooks of a study frozen and without the network, in the Deno kernel through Jupyter, and compares what each cell
 * shows with what it was committed with. The files stay as they are.
 *
 * @throws {ScoreframeError} If Jupyter is missing, or no notebook takes a parameter that was given
 */
export async function runNotebooks(folder: string, options: RunOptions = {}): Promise<RunReport> {
  const notebooks = await findNotebooks(folder);
  const used = new Set<string>();
  const runs: (Omit<RunReport, "notebooks">)[] = [];
  await using jupyter = await openJupyter();
  for (const path of notebooks) {
    runs.push(await runNotebook(jupyter, { folder, path, used }, options));
  }
  const unused = Object.keys(options.parameters ?? {}).find((name) => !used.has(name));
  if (unused === undefined) {
    return {
      notebooks,
      cells: runs.reduce((sum, { cells }) => sum + cells, 0),
      differences: runs.flatMap(({ differences }) => differences),
      edited: runs.flatMap(({ edited }) => edited),
    };
  }
  throw new ScoreframeError(
    `Cannot set the parameter ${unused}: expected a cell tagged "parameters" that declares it, got none in ` +
      `${
        notebooks.join(", ") || "the study, which has no notebook"
      }; name one that is declared, or tag the cell`,
  );
}

async function runNotebook(
  jupyter: Jupyter,
  { folder, path, used }: {
    readonly folder: string;
    readonly path: string;
    readonly used: Set<string>;
  },
  options: RunOptions,
): Promise<Omit<RunReport, "notebooks">> {
  const notebook: NotebookFile = JSON.parse(await readFile(join(folder, path), "utf8"));
  const cwd = dirname(join(folder, path));
  const library = await libraryFolder(notebook, cwd);
  options.onNotebook?.(path, notebook.cells.length, library !== null);
  const set = new Set<string>();
  const prepared = withParameters(notebook, options.parameters ?? {}, set);
  for (const name of set) used.add(name);
  const recorded = await recordedCells(folder, path);
  const edits = recorded && findEdits(notebook, recorded);
  const compared = await runOne(jupyter, { notebook, prepared, cwd, path, library }, options);
  return {
    cells: compared.cells,
    differences: compared.differences.map((difference) => ({
      ...difference,
      explanation: set.size > 0 ? setWords(set) : explainCell(difference.cell, edits),
    })),
    edited: (edits?.cells ?? [])
      .map((edit) => ({ notebook: path, since: edits!.since, ...edit })),
  };
}

function setWords(names: ReadonlySet<string>): string {
  const [word, verb] = names.size === 1 ? ["parameter", "was"] : ["parameters", "were"];
  return `the ${word} ${[...names].join(", ")} ${verb} set`;
}

interface Prepared {
  readonly notebook: NotebookFile;
  readonly prepared: NotebookFile;
  readonly cwd: string;
  readonly path: string;
  readonly library: string | null;
}

interface Compared {
  readonly cells: number;
  readonly differences: readonly Omit<CellDifference, "explanation">[];
}

async function runOne(
  jupyter: Jupyter,
  { notebook, prepared, cwd, path, library }: Prepared,
  options: RunOptions,
): Promise<Compared> {
  const first = codeCell(`Deno.chdir(${JSON.stringify(cwd)}); ${OFFLINE}`);
  const offline = { ...prepared, cells: [first, ...prepared.cells.map(withoutOutputs)] };
  let best: Compared | null = null;
  for (let run = 0; run < MAX_RUNS; run++) {
    const executed = await jupyter.execute(offline, library ?? cwd, FROZEN);
    const compared = compareCells(notebook, executed.cells.slice(1), { path, options });
    if (best === null || compared.differences.length < best.differences.length) best = compared;
    if (!best.differences.some(({ where }) => where === "number of outputs")) break;
  }
  return best!;
}

function compareCells(
  notebook: NotebookFile,
  executed: readonly NotebookCell[],
  { path, options }: { readonly path: string; readonly options: RunOptions },
): Compared {
  const { tolerance = 1e-9 } = options;
  const ignore = (options.ignore ?? []).map((pattern) => new RegExp(pattern, "g"));
  const differences: Omit<CellDifference, "explanation">[] = [];
  let cells = 0;
  for (const [i, cell] of notebook.cells.entries()) {
    if (cell.cell_type !== "code") continue;
    cells++;
    // What a volatile cell shows may vary; that it fails may not.
    const isVolatile = hasTag(cell, VOLATILE);
    const [expected, found] = [cell.outputs ?? [], executed[i]?.outputs ?? []]
      .map((outputs) => isVolatile ? outputs.filter(isError) : outputs);
    const difference = compareOutputs(expected!, found!, { tolerance, ignore });
    if (difference === null) continue;
    const code = firstLine(cell.source);
    differences.push({ notebook: path, cell: i + 1, code, ...difference });
  }
  return { cells, differences };
}

function isError(output: NotebookOutput): boolean {
  return output.output_type === "error";
}

function withoutOutputs(cell: NotebookCell): NotebookCell {
  return cell.cell_type === "code" ? { ...cell, outputs: [] } : cell;
}

/** A cell of code, as a notebook file has it. */
function codeCell(source: string): NotebookCell {
  return {
    cell_type: "code",
    source,
    outputs: [],
    metadata: {},
    ...{ execution_count: null, id: "scoreframe-offline" },
  };
}
