import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../helpers/source_files.ts";

/** A package that users of the library install. */
export interface InstalledPackage {
  /** Name and version, as the lock file has them. */
  readonly id: string;
  /** Its own package.json. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The folder of the files that are installed. */
  readonly folder: string;
}

const INSTALLED = join(ROOT, "node_modules/.deno");

/** All packages of the library, with those that they need; those for other machines have no folder here. */
export async function libraryPackages(): Promise<{
  readonly installed: readonly InstalledPackage[];
  readonly elsewhere: readonly string[];
}> {
  const lock = JSON.parse(await readFile(join(ROOT, ".ci/library.lock"), "utf8"));
  const folders = await readdir(INSTALLED);
  const installed: InstalledPackage[] = [];
  const elsewhere: string[] = [];
  for (const id of Object.keys(lock.npm)) {
    const name = id.slice(0, id.indexOf("@", 1));
    const plain = id.replace(/(?<=.)_.*$/, "").replaceAll("/", "+");
    const found = folders.find((it) => it === plain || it.startsWith(`${plain}_`));
    const folder = join(INSTALLED, found ?? plain, "node_modules", name);
    if (!existsSync(folder)) elsewhere.push(id);
    else {
      const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
      installed.push({ id, manifest, folder });
    }
  }
  return { installed, elsewhere };
}
