import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { ScoreframeError } from "../../base/errors.ts";
import { openTemporaryFolder } from "../../base/disk/temporary_folder.ts";
import type { NotebookFile } from "./notebook_file.ts";

const run = promisify(execFile);
const KERNEL = "scoreframe-study";
const MAX_OUTPUT = 1 << 28;

// The first python3 on the PATH may not be the one with Jupyter.
const PYTHONS = ["python3", "/usr/bin/python3"];
const NEEDED = "import nbclient, nbformat, jupyter_client";

// nbconvert executes with nbclient, which accepts a working directory when called directly.
const EXECUTE = `
import hashlib, json, sys, nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
source, target, kernel, cwd, timeout, watched = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
resources = {"metadata": {"path": cwd}}
client = NotebookClient(notebook, kernel_name=kernel, timeout=int(timeout), allow_errors=True, resources=resources)
def state():
    try:
        return hashlib.sha256(open(watched, "rb").read()).hexdigest()
    except OSError:
        return None
ended, rewritten, before = None, [], state()
with client.setup_kernel():
    for i, cell in enumerate(notebook.cells):
        try:
            client.execute_cell(cell, i)
        except CellTimeoutError:
            ended = {"cell": i, "why": "timeout"}
        except (DeadKernelError, RuntimeError):
            ended = {"cell": i, "why": "died"}
        now = state()
        if now != before:
            rewritten.append(i)
            before = now
        if ended is not None:
            break
nbformat.write(notebook, target)
with open(target + ".report", "w") as file:
    json.dump({"ended": ended, "rewritten": rewritten}, file)
`;

// The variables that any program needs. Keys, tokens and all other variables are kept from cells.
const ALLOWED =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|DENO_DIR|DENO_NO_UPDATE_CHECK|XDG_CACHE_HOME|XDG_RUNTIME_DIR|LD_LIBRARY_PATH|POLARS_MAX_THREADS|PYTHONPATH|VIRTUAL_ENV|CONDA_PREFIX|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMDATA)$/i;

/** A Jupyter in a temporary folder with this Deno as its only kernel; the user's Jupyter files are not touched. */
export interface Jupyter extends AsyncDisposable {
  /** Executes a notebook with the few environment variables that any program needs. */
  execute(notebook: NotebookFile, run: JupyterRun): Promise<ExecutedNotebook>;
}

/** Options of an execution. */
export interface JupyterRun {
  /** Its working directory. */
  readonly cwd: string;
  /** Additional environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Time limit of a cell, in seconds. */
  readonly timeoutS: number;
  /** A file that no cell may change. */
  readonly watched: string;
}

/** An executed notebook. */
export interface ExecutedNotebook extends NotebookFile {
  /** The cell at which the kernel ended, and the cause; `null` if it did not end. */
  readonly ended: { readonly cell: number; readonly why: "timeout" | "died" } | null;
  /** The cells that changed the watched file. */
  readonly rewritten: readonly number[];
}

/**
 * Starts a Jupyter for notebooks in this Deno.
 *
 * @throws {ScoreframeError} If Python's nbclient is missing
 */
export async function openJupyter(): Promise<Jupyter> {
  const python = await findPython();
  const { path: folder, remove } = await openTemporaryFolder("run");
  const spec = join(folder, "data", "kernels", KERNEL);
  await mkdir(spec, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  const kernel = { argv, display_name: "Deno", language: "typescript" };
  await writeFile(join(spec, "kernel.json"), JSON.stringify(kernel));
  const base = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ALLOWED.test(name))),
    JUPYTER_DATA_DIR: join(folder, "data"),
    JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
    JUPYTER_CONFIG_DIR: join(folder, "config"),
    IPYTHONDIR: join(folder, "ipython"),
    PYTHONWARNINGS: "ignore",
  };
  return {
    execute: async (notebook, { cwd, env, timeoutS, watched }) => {
      const source = join(folder, `${crypto.randomUUID()}.ipynb`);
      const target = `${source}-executed`;
      await writeFile(source, JSON.stringify(notebook));
      const args = ["-c", EXECUTE, source, target, KERNEL, cwd, String(timeoutS), watched];
      await run(python, args, { env: { ...base, ...env }, maxBuffer: MAX_OUTPUT })
        .catch((error: Error) => notExecuted(error));
      const [executed, report] = await Promise.all(
        [target, `${target}.report`].map(async (path) => JSON.parse(await readFile(path, "utf8"))),
      );
      return { ...executed, ...report };
    },
    [Symbol.asyncDispose]: () => Promise.resolve(remove()),
  };
}

async function findPython(): Promise<string> {
  for (const python of PYTHONS) {
    const hasAll = await run(python, ["-c", NEEDED]).then(() => true, () => false);
    if (hasAll) return python;
  }
  throw new ScoreframeError(
    "Cannot execute notebooks: expected a python3 with Jupyter's nbclient, got none; install it (Debian: " +
      "apt-get install jupyter-nbconvert jupyter-client)",
  );
}

function notExecuted(error: Error): never {
  const said = error.message.trim().split("\n").at(-1) ?? "";
  throw new ScoreframeError(
    `Cannot execute the notebook: expected Jupyter to run it, got "${said}"; check that jupyter runs by itself`,
    { cause: error },
  );
}
