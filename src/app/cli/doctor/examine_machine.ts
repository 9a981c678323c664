import { readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { commandLine, installLine } from "../../../base/runtime/command_line.ts";
import { broken, type DoctorFinding, good, limited, type Machine } from "./machine.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { Chart } from "../../../report/chart/chart.ts";
import type { VegaSpec } from "../../../report/chart/chart_spec.ts";
import { FRONTENDS } from "../lab.ts";

// Oldest version that can load the package.
const OLDEST = "2.9.0";
const TESTED = "2.9.6";
const PERMISSIONS = ["read", "write", "net", "env", "sys", "run", "ffi"] as const;

/** Checks the runtime's version and permissions, and the native package that makes frames. */
export async function examineRuntime(machine: Machine): Promise<readonly DoctorFinding[]> {
  const { denoVersion } = machine;
  if (denoVersion === null) {
    return [broken("runtime", "not Deno", `run the command under Deno: npx --yes deno@${TESTED}`)];
  }
  return [versionOf(denoVersion), await permissionsOf(machine), await framesOf()];
}

function versionOf(version: string): DoctorFinding {
  const found = `Deno ${version}`;
  const order = version.localeCompare(OLDEST, "en", { numeric: true });
  return order < 0
    ? broken("runtime", found, `expected Deno ${OLDEST} or later; run deno upgrade`)
    : good("runtime", found);
}

async function permissionsOf({ hasPermission }: Machine): Promise<DoctorFinding> {
  const given = await Promise.all(PERMISSIONS.map(hasPermission));
  const missing = PERMISSIONS.filter((_, i) => !given[i]);
  if (missing.length === 0) return good("permissions", PERMISSIONS.join(", "));
  const remedy = "run Deno with -A; the Jupyter kernel has all permissions";
  return broken("permissions", `${missing.join(", ")} not given`, remedy);
}

async function framesOf(): Promise<DoctorFinding> {
  try {
    const { default: pl } = await import("nodejs-polars");
    return good("frames", `nodejs-polars works (${pl.DataFrame({ a: [1, 2] }).height} rows tried)`);
  } catch (error) {
    const remedy = `run ${installLine()} in the folder of the project`;
    return broken("frames", `nodejs-polars cannot be loaded: "${firstLine(error)}"`, remedy);
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!.slice(0, 200);
}

/** Draws a chart with text, which needs the package's font and two native modules. */
export async function examineFonts(): Promise<DoctorFinding> {
  try {
    const spec: VegaSpec = {
      $schema: "https://vega.github.io/schema/vega-lite/v5.json",
      title: "tried",
      data: { values: [{ x: 1, y: 1 }] },
      mark: "point",
      encoding: {
        x: { field: "x", type: "quantitative" },
        y: { field: "y", type: "quantitative" },
      },
    };
    const picture = await new Chart(spec, { description: "a point" }).toPng();
    return good("charts", `a test chart was drawn (${groupThousands(picture.length)} bytes)`);
  } catch (error) {
    const words = (error as Error).message.split("\n")[0]!;
    return limited(
      "charts",
      `a test chart could not be drawn: "${words}"`,
      `run ${installLine()} in the folder of the project`,
    );
  }
}

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
