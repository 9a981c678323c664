import { constants } from "node:fs";
import { cp, lstat, mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve } from "node:path";
import process from "node:process";
import { isObject } from "../../base/contract/json_text.ts";
import { isThere, kindOf, readTextFile } from "../../base/disk/files.ts";
import { IntegrityError } from "../../base/errors.ts";
import { absoluteFolders } from "../../base/runtime/programs.ts";
import { clearOutputs } from "./notebook_file.ts";

const SYSTEM: Readonly<Record<string, readonly string[]>> = {
  linux: [
    // Not /usr/local and /usr/src, where projects of the user's may be.
    ...["bin", "sbin", "lib", "lib32", "lib64", "libexec", "share"].map((name) => `/usr/${name}`),
    ...["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime"],
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
const LEFT_OUT =
  /^(deno\.jsonc?|deno\.lock|package\.json|[jt]sconfig\.json|\.npmrc|node_modules|\.git)$/i;
const NOTEBOOK = /\.ipynb$/i;
const PASSED_ON = /^(LANG|LANGUAGE|LC_\w+|TZ|POLARS_MAX_THREADS)$/;

/** Environment of all programs in the box: nothing of this process but its language, time zone and path. */
export function environmentOf(folder: string): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return {
    ...Object.fromEntries(passed) as Record<string, string>,
    ...Object.fromEntries(
      // What is relative would be found in the folder that a program runs in.
      ["PATH", "LD_LIBRARY_PATH"].map((name) => [
        name,
        absoluteFolders(process.env[name]).join(delimiter),
      ]),
    ),
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    DENO_DIR: join(folder, "deno"),
    DENO_NO_UPDATE_CHECK: "1",
    DENO_NO_PROMPT: "1",
    SCOREFRAME_STUDY_MODE: "frozen",
    SCOREFRAME_API_KEY: "",
  };
}

/** Contents of a box. */
export interface FilledBox {
  /** The paths outside of it that the kernel reads. */
  readonly reads: readonly string[];
  /** Names of the library that the study maps to modules of its own; they stay the library's. */
  readonly unmapped: readonly string[];
}

/**
 * Fills a box's folder: a copy of the study whose notebooks have no outputs, an empty home, and a configuration above the copy,
 * whose names mean this library and its packages, whatever the study's own configuration says.
 */
export async function fillBox(folder: string, study: string): Promise<FilledBox> {
  await mkdir(join(folder, "home"), { recursive: true });
  await mkdir(join(folder, "tmp"));
  const copy = join(folder, "study");
  const notebooks: string[] = [];
  await cp(study, copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: async (source) => {
      if (LEFT_OUT.test(basename(source))) return false;
      const file = await lstat(source);
      if (!file.isFile() || !NOTEBOOK.test(source)) {
        return file.isFile() || file.isDirectory() || file.isSymbolicLink();
      }
      notebooks.push(relative(study, source));
      return false;
    },
  });
  for (const path of notebooks) await copyNotebook(join(study, path), join(copy, path));
  return await placeLibrary(folder, study);
}

// What a cell shows is not what it read in a saved output.
async function copyNotebook(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  try {
    await writeFile(to, clearOutputs("copy the notebook", bytes));
  } catch (error) {
    // What is no notebook has no outputs that could be read as such.
    if (!(error instanceof IntegrityError)) throw error;
  }
}

/**
 * The first cell: tries what Deno and Polars have, and takes the permissions that no cell needs. That is a second layer, which
 * native code does not know.
 */
export function firstCell(port: number, attempts: string) {
  const source = `{
  const { default: pl } = await import("nodejs-polars");
  const tried = async (work) => {
    try {
      await work();
      return null;
    } catch (error) {
      return String(error).slice(0, 100);
    }
  };
  const address = "http://127.0.0.1:${port}/";
  const ways = {
    fetch: await tried(() => fetch(address)),
    // It repeats the attempt for seconds; the listener goes on listening.
    Polars: await Promise.race([
      tried(() => pl.scanParquet(address).collect()),
      new Promise((passed) => setTimeout(() => passed("no answer within 0.3 s"), 300)),
    ]),
  };
  await import("scoreframe").catch(() => {});
  await import("@resvg/resvg-js").catch(() => {});
  Deno.writeTextFileSync(${JSON.stringify(attempts)}, JSON.stringify(ways));
  for (const name of ["net", "import", "run", "ffi"]) await Deno.permissions.revoke({ name });
}`;
  return {
    cell_type: "code",
    source,
    outputs: [],
    metadata: {},
    execution_count: null,
    id: "scoreframe-box",
  };
}

async function placeLibrary(folder: string, study: string): Promise<FilledBox> {
  const own = await realpath(resolve(import.meta.dirname!, "../../.."));
  const { dependencies, modules, unstable } = await describeLibrary(own);
  const reserved = [...Object.keys(modules), ...Object.keys(dependencies)];
  const { mapped, unmapped } = await localNames(study, join(folder, "study"), reserved);
  const imports = { ...Object.fromEntries(mapped), ...modules };
  await writeFile(
    join(folder, "deno.json"),
    JSON.stringify({ nodeModulesDir: "manual", unstable, imports, lock: false }),
  );
  const packages = await packageFolders(own, dependencies);
  await mkdir(join(folder, "node_modules"));
  for (const name of Object.keys(dependencies)) {
    const place = await nearestPackage(own, name);
    if (place === null) continue;
    await mkdir(dirname(join(folder, "node_modules", name)), { recursive: true });
    await symlink(await realpath(place), join(folder, "node_modules", name));
  }
  // What Deno made of the library's files before; everything else in its cache is of other projects.
  const made = join("gen", "file", own);
  const caches = process.platform === "darwin"
    ? join(homedir(), "Library", "Caches")
    : process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const cached = join(process.env.DENO_DIR || join(caches, "deno"), made);
  await mkdir(dirname(join(folder, "deno", made)), { recursive: true });
  if (await isThere(cached)) await symlink(cached, join(folder, "deno", made));
  const program = Deno.execPath();
  const names = ["mod.ts", "mod.js", "src", "deno.json", "package.json"];
  const reads = [...names.map((name) => join(own, name)), ...packages, cached];
  return { reads: [...reads, program, await realpath(program)], unmapped };
}

// A clone has a deno.json, a package only the exports of its package.json.
async function describeLibrary(own: string) {
  const { dependencies, exports }: {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly exports: Readonly<Record<string, { readonly deno: string }>>;
  } = JSON.parse(await readFile(join(own, "package.json"), "utf8"));
  const { imports, unstable } = JSON.parse(await readTextFile(join(own, "deno.json")) ?? "{}");
  const names: Readonly<Record<string, string>> = imports ?? Object.fromEntries(
    Object.entries(exports).map(([name, { deno }]) => [name.replace(/^\./, "scoreframe"), deno]),
  );
  // By the names of its exports.
  const modules = Object.fromEntries(
    Object.entries(names).map(([name, path]) => [name, join(own, path)]),
  );
  return { dependencies, modules, unstable };
}

/**
 * The names that the study's configuration gives to modules of its own. A name of the library or of a package that it imports
 * stays the library's: its module would run in the cell that takes the permissions.
 */
async function localNames(study: string, copy: string, reserved: readonly string[]) {
  const mapped: (readonly [string, string])[] = [];
  const unmapped: string[] = [];
  for (const [name, path] of Object.entries(await importsOf(study))) {
    // A name that is a path or an address stands for files, also for the library's.
    const isOwn = !/^[./]|:/.test(name) && !reserved.some((known) => meets(known, name));
    if (typeof path !== "string" || !path.startsWith("./")) continue;
    if (isOwn) mapped.push([name, join(copy, path) + (path.endsWith("/") ? "/" : "")]);
    else unmapped.push(name);
  }
  return { mapped, unmapped };
}

function meets(known: string, name: string): boolean {
  return name === known || name.startsWith(`${known}/`) ||
    name.endsWith("/") && known.startsWith(name);
}

async function importsOf(study: string): Promise<Readonly<Record<string, unknown>>> {
  const path = join(study, "deno.json");
  try {
    const { imports } = kindOf(path) === "a file" ? JSON.parse(await readTextFile(path) ?? "") : {};
    return isObject(imports) ? imports : {};
  } catch {
    return {};
  }
}

// The folders of packages and of what they depend on, with the links that lead there.
async function packageFolders(own: string, dependencies: object): Promise<readonly string[]> {
  const [places, folders] = [new Set<string>(), new Set<string>()];
  const waiting: (readonly [string, readonly string[]])[] = [[own, Object.keys(dependencies)]];
  for (const [from, names] of waiting) {
    for (const name of names) {
      const place = await nearestPackage(from, name);
      if (place === null) continue;
      places.add(place);
      const folder = await realpath(place);
      if (folders.has(folder)) continue;
      folders.add(folder);
      const text = await readTextFile(join(folder, "package.json"));
      const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(text ?? "{}");
      const all = { ...dependencies, ...optionalDependencies, ...peerDependencies };
      waiting.push([folder, Object.keys(all)]);
    }
  }
  return [...places, ...folders];
}

async function nearestPackage(from: string, name: string): Promise<string | null> {
  for (let folder = from;; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (await isThere(place)) return place;
    if (dirname(folder) === folder) return null;
  }
}

/** The paths that the box can read: the system's programs and libraries, and what is named; none below another. */
export function readablePaths(paths: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (const path of new Set([...SYSTEM[process.platform] ?? [], ...paths])) {
    if (kindOf(path) !== null) found.push(path);
  }
  return found.sort((a, b) => a.length - b.length)
    .filter((path, i, all) => !isBelow(path, all.slice(0, i)));
}

/** Tests if a path is one of some others, or below one of them. */
export function isBelow(path: string, others: readonly string[]): boolean {
  return others.some((above) => !relative(above, path).startsWith(".."));
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
