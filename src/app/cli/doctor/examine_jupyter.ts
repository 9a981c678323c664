import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { FRONTENDS } from "../lab/frontends.ts";
import { type DoctorFinding, good, limited } from "./finding.ts";
import type { Machine } from "./machine.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

/** Checks that Jupyter has a Deno kernel whose program exists, and a front end. */
export async function examineJupyter(machine: Machine): Promise<readonly DoctorFinding[]> {
  return [await kernelOf(machine), await frontendOf(machine)];
}

async function kernelOf(machine: Machine): Promise<DoctorFinding> {
  const folder = join(dataFolder(machine), "kernels");
  const kernels: { readonly name: string; readonly program: string }[] = [];
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const program = await programOf(join(folder, name, "kernel.json"));
    if (program !== null) kernels.push({ name, program });
  }
  if (kernels.length === 0) {
    return limited(
      "kernel",
      `no Deno kernel in ${folder}`,
      `to install one: ${commandLine()} lab --no-open`,
    );
  }
  const gone = await Promise.all(
    kernels.map(async ({ program }) => await stat(program).catch(() => null) === null),
  );
  const sound = kernels.filter((_, i) => !gone[i]);
  const shown = (sound.length > 0 ? sound : kernels)
    .map(({ name, program }) => `"${name}" with ${program}`).join(", ");
  return sound.length > 0 ? good("kernel", shown) : limited(
    "kernel",
    `${shown}, which no longer exists`,
    `to install it again: ${commandLine()} lab --no-open`,
  );
}

// Program of a Deno kernel; `null` for any other kernel.
async function programOf(path: string): Promise<string | null> {
  try {
    const { argv } = JSON.parse(await readFile(path, "utf8"));
    return argv[1] === "jupyter" && typeof argv[0] === "string" ? argv[0] : null;
  } catch {
    return null;
  }
}

function dataFolder({ environment }: Machine): string {
  const { JUPYTER_DATA_DIR, XDG_DATA_HOME, APPDATA, HOME = homedir() } = environment;
  if (JUPYTER_DATA_DIR) return JUPYTER_DATA_DIR;
  if (process.platform === "win32") return join(APPDATA ?? HOME, "jupyter");
  if (process.platform === "darwin") return join(HOME, "Library", "Jupyter");
  return join(XDG_DATA_HOME || join(HOME, ".local", "share"), "jupyter");
}

async function frontendOf({ run }: Machine): Promise<DoctorFinding> {
  for (const [command, subcommand] of FRONTENDS) {
    const version = await run(command, [subcommand, "--version"]);
    if (version !== null) return good("Jupyter", `${command} ${subcommand} ${version}`);
  }
  return limited(
    "Jupyter",
    "neither JupyterLab nor Jupyter Notebook is installed",
    "to install one: pipx install jupyterlab; VS Code needs neither",
  );
}
