import { existsSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import process from "node:process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { ScoreframeError } from "../../base/errors.ts";
import { command, flag } from "./command.ts";
import { absoluteFolders, runProgram, startProgram } from "../../base/runtime/programs.ts";

const SETTINGS = { "deno.enable": true };

const EXTENSIONS = { recommendations: ["denoland.vscode-deno", "ms-toolsai.jupyter"] };

const KERNEL = "scoreframe";
const KERNEL_TITLE = "scoreframe (Deno)";

/** The front ends of Jupyter, as commands, in the order in which they are tried. */
export const FRONTENDS = [["jupyter", "lab"], ["jupyter", "notebook"]] as const;

const EXTENSION = "jupyterlab-lsp==5.2.0";
const CONFIG_FILE = "scoreframe_deno_lsp.json";
const PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", EXTENSION];

const ADVICE = `Install it by hand, then run this again:
  pipx      pipx inject jupyterlab ${EXTENSION}
  conda     conda install -c conda-forge jupyterlab-lsp`;

/** `lab`: installs the kernel of this project and opens Jupyter, or says what is missing. */
export const runLab = command({
  usage: ["lab [--no-open | --no-browser] [--no-completion] [-- OPTIONS OF JUPYTER]"],
  about:
    `Installs the Jupyter kernel "${KERNEL_TITLE}" for this user, with this Deno, and opens the notebooks. In JupyterLab,
"deno lsp" completes and checks cells; the extension jupyterlab-lsp is installed beside JupyterLab if it is missing. For
VS Code, .vscode/settings.json enables Deno in a project that has no such file.
Run it again after Deno was moved or its cache was cleared: kernel and language server refer to the Deno that installed them.`,
  options: {
    "no-open": flag("install only"),
    "no-browser": flag("start Jupyter and print its address, for a machine without a browser"),
    "no-completion": flag("install the kernel only, and leave JupyterLab and VS Code as they are"),
  },
  words: [0, Infinity],
  async run({ values, words, terminal }) {
    await installKernel();
    terminal.out(`Installed the kernel "${KERNEL_TITLE}" with ${Deno.execPath()}`);
    if (values["no-completion"] !== true) {
      for (const line of await installCompletion()) terminal.out(line);
      terminal.out(await enableDeno(process.cwd()));
    }
    if (values["no-open"] === true) return 0;
    const frontend = await findFrontend();
    if (frontend === null) {
      terminal.error(MISSING);
      return 1;
    }
    const own = values["no-browser"] === true ? ["--no-browser"] : [];
    return await open([...frontend, ...own, ...words]);
  },
});

const MISSING = `Cannot open the notebooks: expected JupyterLab or Jupyter Notebook, got neither.
Install one, then run this again:
  any system    pipx install jupyterlab
  Debian        sudo apt-get install jupyter-notebook
VS Code needs neither: open a notebook and select the kernel "${KERNEL_TITLE}".`;

async function installKernel(): Promise<void> {
  const args = ["jupyter", "--install", "--force", "--name", KERNEL, "--display", KERNEL_TITLE];
  const { code, error } = await runProgram(Deno.execPath(), args);
  if (code === 0) return;
  throw new ScoreframeError(
    `Cannot install the kernel: expected deno ${
      args.slice(0, 2).join(" ")
    } to end with 0, got ${code} and "${
      lastLine(error)
    }"; check that the user's Jupyter folder can be written`,
  );
}

async function findFrontend(): Promise<readonly [string, string] | null> {
  for (const [command, subcommand] of FRONTENDS) {
    const ended = await runProgram(command, [subcommand, "--version"]).catch(() => null);
    if (ended?.code === 0) return [command, subcommand];
  }
  return null;
}

/** Notebooks of a clone; the working directory for an installed package, which has none. */
function notebooksFolder(): string {
  const own = import.meta.dirname && join(import.meta.dirname, "..", "..", "..", "notebooks");
  return own !== undefined && existsSync(own) ? own : process.cwd();
}

async function open([command, ...args]: readonly [string, ...string[]]): Promise<number> {
  const child = await startProgram(command, [...args, notebooksFolder()], { stdio: "inherit" });
  // Ctrl-C is for Jupyter, which asks for a confirmation.
  process.on("SIGINT", () => {});
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/**
 * Makes VS Code check and complete a project's notebooks with `deno lsp`: writes `.vscode/settings.json` and recommends the
 * extension, unless such a file exists. Returns a line that says what was done.
 */
export async function enableDeno(folder: string): Promise<string> {
  const path = join(folder, ".vscode", "settings.json");
  const own = await readFile(path, "utf8").catch(() => null);
  if (own !== null) {
    return own.includes('"deno.enable"')
      ? `Found "deno.enable" in ${path}`
      : `To complete cells in VS Code, add "deno.enable": true to ${path}`;
  }
  await mkdir(join(folder, ".vscode"), { recursive: true });
  await writeFile(path, `${JSON.stringify(SETTINGS, null, 2)}\n`);
  await writeFile(
    join(folder, ".vscode", "extensions.json"),
    `${JSON.stringify(EXTENSIONS, null, 2)}\n`,
    { flag: "wx" },
  ).catch(() => {});
  return `Enabled Deno for VS Code in ${path}`;
}

/**
 * Makes JupyterLab complete and check cells by `deno lsp`: an entry for the language server in the user's Jupyter
 * configuration, and the extension `jupyterlab-lsp` in the Python that JupyterLab runs in. Returns lines that say what was done.
 */
async function installCompletion(): Promise<readonly string[]> {
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
  for (const folder of absoluteFolders(process.env["PATH"])) {
    const script = await readFile(join(folder, "jupyter-lab"), "utf8").catch(() => "");
    const python = /^#! *(\S+)/.exec(script)?.[1];
    if (python === undefined || !isAbsolute(python)) continue;
    if (/^python[\d.]*$/.test(basename(python))) return python;
  }
  return null;
}

async function installExtension(python: string): Promise<string> {
  const known = await runProgram(python, ["-c", "import jupyterlab_lsp"]).catch(() => null);
  if (known?.code === 0) return `Found jupyterlab-lsp beside ${python}`;
  const { code, error } = await runProgram(python, PIP).catch((error: Error) => ({
    code: null,
    error: error.message,
  }));
  return code === 0
    ? `Installed ${EXTENSION} with ${python}`
    : `No completion in JupyterLab: ${lastLine(error)}\n${ADVICE}`;
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)!.slice(0, 300);
}
