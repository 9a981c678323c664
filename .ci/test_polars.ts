/**
 * Runs quick tests against another nodejs-polars than the pinned one: `deno task test:polars [VERSION [FOLDER …]]`.
 *
 * Without a version it is the newest of the registry; without folders, those of frames, prices and client. The tests run
 * in a copy of this repository, which is removed again. Only the native package of this machine is fetched, because the
 * registry may lack that of another one, and Deno, unlike npm, takes this for an error.
 */
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname!, "..");
const POLARS = "nodejs-polars";
const FOLDERS = ["test/frames/frame", "test/frames/prices", "test/client"];

const [asked, ...folders] = Deno.args;
process.exitCode = await testPolars(asked ?? await newestVersion(), folders);

async function testPolars(version: string, folders: readonly string[]): Promise<number> {
  const copy = await mkdtemp(join(tmpdir(), "scoreframe-polars-"));
  try {
    await copyRepository(copy);
    await replacePolars(copy, version);
    const [installed, pinned] = [await versionIn(copy), await versionIn(ROOT)];
    process.stdout.write(`${POLARS} ${installed}, pinned is ${pinned}\n`);
    return await runTests(copy, folders.length === 0 ? FOLDERS : folders);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function newestVersion(): Promise<string> {
  const { stdout } = await run("npm", ["view", POLARS, "version"]);
  return stdout.trim();
}

async function versionIn(folder: string): Promise<string> {
  const path = join(folder, "node_modules", POLARS, "package.json");
  return JSON.parse(await readFile(path, "utf8")).version;
}

async function copyRepository(copy: string): Promise<void> {
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard"], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  for (const path of stdout.trim().split("\n")) {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await cp(join(ROOT, path), join(copy, path));
  }
  await cp(join(ROOT, "node_modules"), join(copy, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

/** The package goes where the link to the pinned one was, with its native part beside it. */
async function replacePolars(copy: string, version: string): Promise<void> {
  const project = join(copy, ".scoreframe/polars");
  await mkdir(project, { recursive: true });
  await writeFile(join(project, "package.json"), "{}");
  const natives = await nativePackages();
  const wanted = [POLARS, ...natives].map((name) => `${name}@${version}`);
  await run("npm", ["install", "--no-audit", "--no-fund", ...wanted], { cwd: project });
  const place = join(copy, "node_modules", POLARS);
  await rm(place, { force: true });
  await cp(join(project, "node_modules", POLARS), place, { recursive: true });
  for (const name of natives) {
    const native = join(project, "node_modules", name);
    await cp(native, join(place, "node_modules", name), { recursive: true });
  }
}

// Deno fetched those of this system and processor. npm refuses the one for musl beside glibc.
async function nativePackages(): Promise<readonly string[]> {
  const isMusl = Deno.build.env === "musl";
  const names = await readdir(join(ROOT, "node_modules/.deno"));
  return names.map((name) => name.slice(0, name.indexOf("@", 1)))
    .filter((name) => name.startsWith(`${POLARS}-`))
    .filter((name) => Deno.build.os !== "linux" || name.endsWith("-musl") === isMusl);
}

function runTests(copy: string, folders: readonly string[]): Promise<number> {
  const args = ["run", "-A", "npm:vitest", "run", "--project", "quick", ...folders];
  const tests = spawn(Deno.execPath(), args, { cwd: copy, stdio: "inherit" });
  return new Promise((resolve) => tests.once("exit", (code) => resolve(code ?? 1)));
}
