/**
 * Writes the bill of materials of the npm package: `deno task generate sbom [FILE.cdx.json]`.
 *
 * Every package that is installed with the library, on any system, with its exact version, the SHA-512 of its archive and
 * its licence, in the form of CycloneDX.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { cycloneDx, type Materials } from "./_cyclone_dx.ts";

const ROOT = join(import.meta.dirname!, "..");
const INSTALLED = join(ROOT, "node_modules/.deno");

type Packages = Materials["packages"];

const target = resolve(Deno.args[0] ?? "scoreframe.cdx.json");
// A package that states its licence in a file alone, which test/supply/licences.test.ts reads.
const NAMED_BY_FILE: Readonly<Record<string, string>> = { "png-js": "MIT" };
const { version, license, dependencies } = await readJson(join(ROOT, "package.json"));
const library: Packages = (await readJson(join(ROOT, ".ci/library.lock"))).npm;
const all: Packages = (await readJson(join(ROOT, "deno.lock"))).npm;
const packages = { ...library, ...nativeParts() };
const folders = await readdir(INSTALLED);
const licences = new Map(
  await Promise.all(Object.keys(packages).map(async (id) => [id, await licenceOf(id)] as const)),
);
const subject = { name: "scoreframe", version, license };
const licence = (id: string) => licences.get(id);
await writeFile(target, cycloneDx({ subject, packages, dependencies, licenceOf: licence }));
process.stdout.write(`${target}: ${licences.size} packages\n`);

/** Those for each system, which the library's lock has without musl. */
function nativeParts(): Packages {
  const names = Object.keys(library).flatMap((id) => all[id]!.optionalDependencies ?? []);
  const isNative = (id: string) => names.some((name) => id === name || id.startsWith(`${name}@`));
  return Object.fromEntries(Object.entries(all).filter(([id]) => isNative(id)));
}

/**
 * The licence in its own package.json. A native part has that of the package which asks for it, because those of other
 * systems are not here.
 */
async function licenceOf(id: string): Promise<string | undefined> {
  const name = id.slice(0, id.indexOf("@", 1));
  const parent = Object.keys(library)
    .find((it) => all[it]!.optionalDependencies?.some((native) => native === name));
  if (parent !== undefined) return await licenceOf(parent);
  const plain = id.replaceAll("/", "+").replace(/(?<=@.*)_.*$/, "");
  const folder = folders.find((it) => it === plain || it.startsWith(`${plain}_`));
  if (folder === undefined) throw new Error(`Cannot list ${id}: expected it in ${INSTALLED}`);
  const { license } = await readJson(join(INSTALLED, folder, "node_modules", name, "package.json"));
  return typeof license === "string" ? license : NAMED_BY_FILE[name];
}

async function readJson(path: string) {
  return JSON.parse(await readFile(path, "utf8"));
}
