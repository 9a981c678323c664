import { constants } from "node:fs";
import { cp, lstat, mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { isThere } from "../../base/disk/files.ts";

const SYSTEM: Readonly<Record<string, readonly string[]>> = {
  linux: [
    ...["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime"],
    ...["/etc/timezone", "/etc/hosts", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group"],
    ...["/etc/alternatives", "/etc/fonts"],
  ],
  darwin: [
    ...["/usr", "/bin", "/sbin", "/System", "/Library", "/private/etc", "/private/var/db", "/opt"],
    "/dev",
  ],
};
/** Devices that every program needs. */
export const DEVICES = ["null", "zero", "full", "random", "urandom"].map((name) => `/dev/${name}`);
// What would change the kernel's imports, or is not the study's.
const LEFT_OUT = /^(deno\.jsonc?|deno\.lock|package\.json|\.npmrc|node_modules|\.git)$/;
const PASSED_ON = /^(LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|POLARS_MAX_THREADS)$/;

/** Environment of all programs in the box: nothing of this process but its language, time zone and path. */
export function environmentOf(folder: string): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return {
    ...Object.fromEntries(passed) as Record<string, string>,
    // Programs of the study's own folder are never found.
    PATH: (process.env.PATH ?? "").split(delimiter).filter((part) => part.startsWith("/")).join(
      delimiter,
    ),
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    DENO_DIR: join(folder, "deno"),
    DENO_NO_UPDATE_CHECK: "1",
    DENO_NO_PROMPT: "1",
    SCOREFRAME_STUDY_MODE: "frozen",
    SCOREFRAME_API_KEY: "",
    JUPYTER_DATA_DIR: join(folder, "jupyter"),
    JUPYTER_RUNTIME_DIR: join(folder, "tmp"),
    JUPYTER_CONFIG_DIR: join(folder, "jupyter"),
    IPYTHONDIR: join(folder, "jupyter"),
    PYTHONWARNINGS: "ignore",
  };
}

/**
 * Fills a box's folder: a copy of the study, an empty home, a kernel, and a configuration above the copy, whose names mean this
 * library and its packages, whatever the study's own configuration says.
 *
 * @returns The paths outside of it that the kernel reads
 */
export async function fillBox(folder: string, study: string): Promise<readonly string[]> {
  await mkdir(join(folder, "home"), { recursive: true });
  await mkdir(join(folder, "tmp"));
  await cp(study, join(folder, "study"), {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (source) => {
      if (LEFT_OUT.test(basename(source))) return false;
      const file = await lstat(source);
      return file.isFile() || file.isDirectory() || file.isSymbolicLink();
    },
  });
  await placeKernel(folder);
  return await placeLibrary(folder, study);
}

/**
 * The first cell: tries what Deno and Polars have, and takes the permissions that no cell needs. That is a second layer, which
 * native code does not know.
 */
export function firstCell(port: number, attempts: string) {
  const source = `{
  const { default: pl } = await import("nodejs-polars");
  await import("scoreframe").catch(() => {});
  await import("@resvg/resvg-js").catch(() => {});
  const tried = (work) => work().then(() => null, (error) => String(error).slice(0, 100));
  const address = "http://127.0.0.1:${port}/";
  const ways = {
    fetch: await tried(() => fetch(address)),
    // It repeats the attempt for seconds; the listener goes on listening.
    Polars: await Promise.race([
      tried(() => pl.scanParquet(address).collect()),
      new Promise((passed) => setTimeout(() => passed("no answer within 0.3 s"), 300)),
    ]),
  };
  Deno.writeTextFileSync(${JSON.stringify(attempts)}, JSON.stringify(ways));
  for (const name of ["net", "import", "run", "ffi"]) await Deno.permissions.revoke({ name });
}`;
  return {
    ...{ cell_type: "code", source, outputs: [], metadata: {} },
    ...{ execution_count: null, id: "scoreframe-box" },
  };
}

async function placeLibrary(folder: string, study: string): Promise<readonly string[]> {
  const own = await realpath(resolve(import.meta.dirname!, "../../.."));
  const config = JSON.parse(await readFile(join(own, "deno.json"), "utf8"));
  const imports = Object.fromEntries([
    ...await localNames(study, join(folder, "study")),
    ...Object.entries<string>(config.imports).map(([name, path]) => [name, join(own, path)]),
  ]);
  const { unstable } = config;
  await writeFile(
    join(folder, "deno.json"),
    JSON.stringify({ nodeModulesDir: "manual", unstable, imports, lock: false }),
  );
  const modules = await nearestModules(own);
  await symlink(modules, join(folder, "node_modules"));
  const cache = process.env.DENO_DIR || join(cacheHome(), "deno");
  const parts = await existing(["npm", "gen", "remote"].map((name) => join(cache, name)));
  await mkdir(join(folder, "deno"));
  for (const part of parts) await symlink(part, join(folder, "deno", basename(part)));
  const program = Deno.execPath();
  return [
    ...["mod.ts", "src", "deno.json", "package.json"].map((name) => join(own, name)),
    ...[modules, ...parts, program, await realpath(program)],
  ];
}

// The names that the study's configuration gives to modules of its own.
async function localNames(
  study: string,
  copy: string,
): Promise<readonly (readonly [string, string])[]> {
  try {
    const { imports = {} } = JSON.parse(await readFile(join(study, "deno.json"), "utf8"));
    return Object.entries(imports).flatMap(([name, path]) =>
      typeof path === "string" && path.startsWith("./") && !name.startsWith("nodejs-polars")
        ? [[name, join(copy, path)] as const]
        : []
    );
  } catch {
    return [];
  }
}

function cacheHome(): string {
  if (process.platform === "darwin") return join(homedir(), "Library", "Caches");
  return process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
}

async function nearestModules(from: string): Promise<string> {
  for (let folder = from;; folder = dirname(folder)) {
    const modules = basename(folder) === "node_modules" ? folder : join(folder, "node_modules");
    if (await isThere(join(modules, "nodejs-polars")) || dirname(folder) === folder) {
      return await realpath(modules).catch(() => modules);
    }
  }
}

async function placeKernel(folder: string): Promise<void> {
  const spec = join(folder, "jupyter", "kernels", "scoreframe-study");
  await mkdir(spec, { recursive: true });
  const argv = [Deno.execPath(), "jupyter", "--kernel", "--conn", "{connection_file}"];
  const kernel = { argv, display_name: "Deno", language: "typescript" };
  await writeFile(join(spec, "kernel.json"), JSON.stringify(kernel));
}

/** The paths that the box can read: the system's programs and libraries, and what is named; none below another. */
export function readablePaths(paths: readonly string[]): Promise<readonly string[]> {
  return existing([...SYSTEM[process.platform] ?? [], ...paths]);
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of new Set(paths)) {
    if (await lstat(path).then(() => true, () => false)) found.push(path);
  }
  return found.sort((a, b) => a.length - b.length)
    .filter((path, i, all) =>
      !all.slice(0, i).some((above) => !relative(above, path).startsWith(".."))
    );
}

/** Ports of this machine that nothing listens to. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map((server) =>
    new Promise<number>((ready) => {
      server.listen(0, "127.0.0.1", () => ready((server.address() as AddressInfo).port));
    })
  ));
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}
