import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { ScoreframeError } from "../../errors.ts";
import type { NotebookFile } from "./notebook_file.ts";

const run = promisify(execFile);
const KERNEL = "scoreframe-study";
const CELL_TIMEOUT_S = 600;
const MAX_OUTPUT = 1 << 28;

// The first python3 on the PATH need not be the one that Jupyter was installed for.
const PYTHONS = ["python3", "/usr/bin/python3"];
const NEEDED = "import nbclient, nbformat, jupyter_client";

// nbclient is what nbconvert executes with; called directly, it takes a working directory.
const EXECUTE = `
import sys, nbformat
from nbclient import NotebookClient
source, target, kernel, cwd, timeout = sys.argv[1:]
notebook = nbformat.read(source, as_version=4)
resources = {"metadata": {"path": cwd}}
client = NotebookClient(notebook, kernel_name=kernel, timeout=int(timeout), allow_errors=True, resources=resources)
client.execute()
nbformat.write(notebook, target)
`;

/** A Jupyter with one kernel, this Deno, in a temporary folder; nothing of the user's is read or written. */
export interface Jupyter extends AsyncDisposable {
  /** Executes a notebook in a working directory, with these variables beside those of the process. */
  execute(
    notebook: NotebookFile,
    cwd: string,
    env: Readonly<Record<string, string>>,
  ): Promise<NotebookFile>;
}

/**
 * Starts a Jupyter for notebooks in this Deno.
 *
 * @throws {ScoreframeError} If Python's nbclient is missing
 */
export async function openJupyter(): Promise<Jupyter> {
  const python = await findPython();
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-run-"));
  const spec = join(folder, "data", "kernels", KERNEL);
  await mkdir(spec, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  const kernel = { argv, display_name: "Deno", language: "typescript" };
  await writeFile(join(spec, "kernel.json"), JSON.stringify(kernel));
  const base = {
    ...process.env,
    JUPYTER_DATA_DIR: join(folder, "data"),
    JUPYTER_RUNTIME_DIR: join(folder, "runtime"),
    JUPYTER_CONFIG_DIR: join(folder, "config"),
    IPYTHONDIR: join(folder, "ipython"),
    PYTHONWARNINGS: "ignore",
  };
  return {
    execute: async (notebook, cwd, env) => {
      const source = join(folder, `${crypto.randomUUID()}.ipynb`);
      const target = `${source}-executed`;
      await writeFile(source, JSON.stringify(notebook));
      const args = ["-c", EXECUTE, source, target, KERNEL, cwd, String(CELL_TIMEOUT_S)];
      await run(python, args, { env: { ...base, ...env }, maxBuffer: MAX_OUTPUT })
        .catch((error: Error) => notExecuted(error));
      return JSON.parse(await readFile(target, "utf8"));
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
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
    `Cannot execute the notebook: expected Jupyter to run it, got "${said}"; see whether jupyter runs on its own`,
    { cause: error },
  );
}
