import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { FRONTENDS } from "./frontends.ts";
import { installCompletion } from "./install_completion.ts";
import { flags, HELP_OPTION, parseArguments } from "../parse_arguments.ts";
import { printed, type Terminal } from "../terminal.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";
import { mkdir, readFile, writeFile } from "node:fs/promises";

const SETTINGS = { "deno.enable": true };

const EXTENSIONS = { recommendations: ["denoland.vscode-deno", "ms-toolsai.jupyter"] };

const run = promisify(execFile);
const KERNEL = "scoreframe";
const KERNEL_TITLE = "scoreframe (Deno)";

const HELP =
  `usage: ${commandLine()} lab [--no-open | --no-browser] [--no-completion] [-- OPTIONS OF JUPYTER]

Installs the Jupyter kernel "${KERNEL_TITLE}" for this user, with this Deno, and opens the notebooks. In JupyterLab,
"deno lsp" completes and checks cells; the extension jupyterlab-lsp is installed beside JupyterLab if it is missing. For
VS Code, .vscode/settings.json enables Deno in a project that has no such file.
Run it again after Deno was moved or its cache was cleared: kernel and language server refer to the Deno that installed them.

  --no-open         install only
  --no-browser      start Jupyter and print its address, for a machine without a browser
  --no-completion   install the kernel only, and leave JupyterLab and VS Code as they are`;

/** Runs `lab`: installs the kernel of this project and opens Jupyter, or says what is missing. */
export async function runLab(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArguments(args, {
    allowPositionals: true,
    options: { ...flags("no-open", "no-browser", "no-completion"), ...HELP_OPTION },
  });
  if (values.help === true) return printed(terminal, HELP);
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
  return await open([...frontend, ...own, ...positionals]);
}

const MISSING = `Cannot open the notebooks: expected JupyterLab or Jupyter Notebook, got neither.
Install one, then run this again:
  any system    pipx install jupyterlab
  Debian        sudo apt-get install jupyter-notebook
VS Code needs neither: open a notebook and select the kernel "${KERNEL_TITLE}".`;

async function installKernel(): Promise<void> {
  const args = ["jupyter", "--install", "--force", "--name", KERNEL, "--display", KERNEL_TITLE];
  await run(Deno.execPath(), args);
}

async function findFrontend(): Promise<readonly [string, string] | null> {
  for (const [command, subcommand] of FRONTENDS) {
    try {
      await run(command, [subcommand, "--version"]);
      return [command, subcommand];
    } catch {
      continue;
    }
  }
  return null;
}

/** Notebooks of a clone; the working directory for an installed package, which has none. */
function notebooksFolder(): string {
  const own = import.meta.dirname && join(import.meta.dirname, "..", "..", "..", "..", "notebooks");
  return own !== undefined && existsSync(own) ? own : process.cwd();
}

function open([command, ...args]: readonly [string, ...string[]]): Promise<number> {
  const child = spawn(command, [...args, notebooksFolder()], { stdio: "inherit" });
  // Ctrl-C is for Jupyter, which asks for a confirmation.
  process.on("SIGINT", () => {});
  return new Promise((resolve, reject) => {
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
