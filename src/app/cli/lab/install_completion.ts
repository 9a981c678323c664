import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const EXTENSION = "jupyterlab-lsp==5.2.0";
const CONFIG_FILE = "scoreframe_deno_lsp.json";
const PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", EXTENSION];

/**
 * Makes JupyterLab complete and check cells by `deno lsp`: an entry for the language server in the user's Jupyter
 * configuration, and the extension `jupyterlab-lsp` in the Python that JupyterLab runs in. Returns lines that say what was done.
 */
export async function installCompletion(): Promise<readonly string[]> {
  const file = await writeEntry();
  const entry = `Wrote the entry for "deno lsp" to ${file}`;
  const python = await findPython();
  if (python === null) return [entry];
  return [entry, await installExtension(python)];
}

async function writeEntry(): Promise<string> {
  const own = process.env["JUPYTER_CONFIG_DIR"];
  const folder = join(own ?? join(homedir(), ".jupyter"), "jupyter_server_config.d");
  await mkdir(folder, { recursive: true });
  const file = join(folder, CONFIG_FILE);
  const entry = { LanguageServerManager: { language_servers: { deno: serverEntry() } } };
  await writeFile(file, `${JSON.stringify(entry, null, 2)}\n`);
  return file;
}

// JupyterLab selects a server by the language of the cells, which it calls x.typescript for Deno's kernel.
function serverEntry(): object {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const url = new URL(`./serve_cells.${extension}`, import.meta.url);
  const script = url.protocol === "file:" ? fileURLToPath(url) : url.href;
  return {
    version: 2,
    display_name: "deno lsp",
    argv: [Deno.execPath(), "run", "--quiet", "-A", script],
    languages: ["typescript", "x.typescript"],
    mime_types: ["text/x.typescript", "text/typescript", "application/typescript"],
    requires_documents_on_disk: false,
    urls: { home: "https://docs.deno.com/runtime/reference/lsp_integration/" },
  };
}

/** Never called; packers follow imports, and this import makes them include the program. */
function _nameProgram(): Promise<unknown> {
  return import("./serve_cells.ts");
}

/** Python of the `jupyter-lab` on the path, from the first line of that script; `null` if there is none. */
async function findPython(): Promise<string | null> {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const script = await readFile(join(folder, "jupyter-lab"), "utf8").catch(() => "");
    const python = /^#! *(\S+)/.exec(script)?.[1];
    if (python !== undefined && /^python[\d.]*$/.test(basename(python))) return python;
  }
  return null;
}

async function installExtension(python: string): Promise<string> {
  try {
    await run(python, ["-c", "import jupyterlab_lsp"]);
    return `Found jupyterlab-lsp beside ${python}`;
  } catch {
    return await run(python, PIP).then(
      () => `Installed ${EXTENSION} with ${python}`,
      (error) => `No completion in JupyterLab: ${lastLine(String(error))}\n${ADVICE}`,
    );
  }
}

const ADVICE = `Install it by hand, then run this again:
  pipx      pipx inject jupyterlab ${EXTENSION}
  conda     conda install -c conda-forge jupyterlab-lsp`;

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!.slice(0, 300);
}
