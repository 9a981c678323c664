import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const KERNEL = "scoreframe-test";
const CELL_TIMEOUT_S = 600;

/** What is missing, and how to get it. */
export const MISSING_JUPYTER =
  "Notebooks cannot be tested: Jupyter's nbconvert and nbclient are required, none was found; " +
  "install them (Debian: apt-get install jupyter-nbconvert jupyter-client)";

// The first python3 on the PATH need not be the one that Debian installs Jupyter for.
const PYTHONS = ["python3", "/usr/bin/python3"];

/** The Python that has Jupyter's packages, or `null` if none has. */
export async function findPython(): Promise<string | null> {
  for (const python of PYTHONS) {
    try {
      await run(python, ["-c", "import nbclient, nbformat, nbconvert, jupyter_client"]);
      return python;
    } catch {
      continue;
    }
  }
  return null;
}

/** One output of an executed cell. */
export interface CellOutput {
  readonly output_type: string;
  readonly data?: Readonly<Record<string, string | string[]>>;
  readonly text?: string | string[];
  readonly ename?: string;
  readonly evalue?: string;
}

/** A cell of a notebook file. */
export interface NotebookCell {
  readonly cell_type: string;
  readonly source: string | string[];
  readonly outputs?: readonly CellOutput[];
  readonly metadata: { readonly tags?: readonly string[] };
}

/** A notebook file. */
export interface Notebook {
  readonly cells: readonly NotebookCell[];
}

/** A temporary Jupyter with one kernel: this Deno. */
export interface TestJupyter extends AsyncDisposable {
  /** Environment that points Jupyter at the temporary kernel. */
  readonly env: NodeJS.ProcessEnv;
  /** Name of the kernel. */
  readonly kernel: string;
  /** A folder for files of the test. */
  readonly folder: string;
  /** Executes the notebook in the working directory `cwd`, and returns it with its outputs. */
  execute(notebook: Notebook, cwd: string, env?: NodeJS.ProcessEnv): Promise<Notebook>;
  /** Runs a Python script with jupyter_client at hand. */
  python(script: string, args: readonly string[]): Promise<string>;
}

/**
 * Installs a kernel for this Deno in a temporary folder; nothing of the user's Jupyter is read or written.
 *
 * @throws {Error} If Jupyter is missing
 */
export async function startJupyter(): Promise<TestJupyter> {
  const python = await findPython();
  if (python === null) throw new Error(MISSING_JUPYTER);
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-jupyter-"));
  const spec = join(folder, "data", "kernels", KERNEL);
  await mkdir(spec, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  await writeFile(
    join(spec, "kernel.json"),
    JSON.stringify({ argv, display_name: "Deno", language: "typescript" }),
  );
  const env = {
    ...process.env,
    // A person's study is not frozen, as it is where CI is true.
    CI: "",
    JUPYTER_DATA_DIR: join(folder, "data"),
    JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
    JUPYTER_CONFIG_DIR: join(folder, "config"),
    IPYTHONDIR: join(folder, "ipython"),
    PYTHONWARNINGS: "ignore",
  };
  return {
    env,
    kernel: KERNEL,
    folder,
    execute: async (notebook, cwd, more = {}) => {
      const id = crypto.randomUUID();
      const source = join(folder, `${id}.ipynb`);
      const target = join(folder, `${id}-executed.ipynb`);
      await writeFile(source, JSON.stringify(notebook));
      const args = ["-c", EXECUTE, source, target, KERNEL, cwd, String(CELL_TIMEOUT_S)];
      await run(python, args, { env: { ...env, ...more }, maxBuffer: 1 << 26 });
      return JSON.parse(await readFile(target, "utf8"));
    },
    python: async (script, args) => {
      const { stdout } = await run(python, ["-c", script, ...args], { env, maxBuffer: 1 << 26 });
      return stdout;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

// nbclient is what nbconvert executes with; called directly, it takes a working directory.
const EXECUTE = `
import sys, nbformat
from nbclient import NotebookClient
source, target, kernel, cwd, timeout = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
try:
    NotebookClient(notebook, kernel_name=kernel, timeout=int(timeout), resources={"metadata": {"path": cwd}}).execute()
finally:
    nbformat.write(notebook, target)
`;

/** A notebook of code cells. */
export function notebookOf(sources: readonly string[]): Notebook {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    execution_count: null,
    metadata: {},
    outputs: [],
    source,
  }));
  return {
    cells,
    metadata: { language_info: { name: "typescript" } },
    nbformat: 4,
    nbformat_minor: 5,
  } as Notebook;
}

const KERNELSPEC = {
  display_name: "scoreframe (Deno)",
  language: "typescript",
  name: "scoreframe",
};

/**
 * The notebook as it is committed: for the project's kernel, without times, counters of messages, empty outputs and the scripts
 * of tables with the rows that they hold.
 */
export function tidyNotebook(notebook: Notebook): Notebook {
  const cells = notebook.cells.map((cell, index) => {
    const { execution: _, ...metadata } = cell.metadata as Record<string, unknown>;
    const id = `cell-${String(index).padStart(2, "0")}`;
    if (cell.cell_type !== "code") return { ...cell, id, metadata };
    const outputs = cell.outputs?.filter((output) => !isEmpty(output) && !isTakenAway(output)) ??
      [];
    return { ...cell, id, metadata, outputs: outputs.map(withoutScripts) };
  });
  const metadata = { kernelspec: KERNELSPEC, language_info: { name: "typescript" } };
  return { ...notebook, cells, metadata, nbformat: 4, nbformat_minor: 5 } as Notebook;
}

const TABLE = '<div class="scoreframe-frame">';
const SCRIPTS = /<script(?: type="application\/json")?>.*?<\/script>\n?/gs;

/** The output with tables as `SCOREFRAME_DISPLAY=static` shows them. */
function withoutScripts(output: CellOutput): CellOutput {
  const html = [output.data?.["text/html"] ?? ""].flat().join("");
  if (!html.includes(TABLE)) return output;
  const plain = html.replaceAll(TABLE, "<div>").replaceAll(SCRIPTS, "");
  return { ...output, data: { ...output.data, "text/html": plain.split(/(?<=\n)/) } };
}

/** What the kernel says after a display that was sent before: that there is nothing left to show. */
function isEmpty(output: CellOutput): boolean {
  return output.output_type === "execute_result" && Object.keys(output.data ?? {}).length === 0;
}

/** A bar that was taken away, such as that of building a demo: a slow machine shows it first and a fast one does not. */
function isTakenAway(output: CellOutput): boolean {
  const text = output.data?.["text/plain"];
  return text !== undefined && [text].flat().join("") === "";
}

/** The text of a cell's outputs of one media type, streams and errors included for `text/plain`. */
export function outputText(cell: NotebookCell, mime: string): string {
  return (cell.outputs ?? []).map((output) => {
    if (output.output_type === "error" && mime === "text/plain") {
      return `${output.ename}: ${output.evalue}`;
    }
    const content = output.data?.[mime] ?? (mime === "text/plain" ? output.text : undefined) ?? "";
    return typeof content === "string" ? content : content.join("");
  }).join("\n");
}
