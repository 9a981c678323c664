import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { joined, type NotebookFile } from "./notebook_file.ts";

const CONFIGS = ["deno.json", "deno.jsonc"];
const IMPORT = /["']scoreframe(?:\/\w+)?["']/;

/**
 * The folder of this library, where the notebook asks for it and its own project does not have it: a project that holds the
 * library itself, such as a clone, names it by a path that leads nowhere on another machine. Else `null`.
 */
export async function libraryFolder(notebook: NotebookFile, cwd: string): Promise<string | null> {
  const isAsked = notebook.cells.some(({ source }) => IMPORT.test(joined(source)));
  if (!isAsked || await hasLibrary(cwd)) return null;
  const { dirname: own } = import.meta;
  const folder = own === undefined ? null : resolve(own, "../../..");
  return folder !== null && await isFile(join(folder, "deno.json")) &&
      await isFile(join(folder, "mod.ts"))
    ? folder
    : null;
}

// As Deno finds it: the nearest configuration counts, and none above it.
async function hasLibrary(from: string): Promise<boolean> {
  for (let folder = from;; folder = dirname(folder)) {
    for (const name of [...CONFIGS, "package.json"]) {
      const text = await readFile(join(folder, name), "utf8").catch(() => null);
      if (text !== null && CONFIGS.includes(name)) return await namesLibrary(text, folder);
      if (text !== null && /"(@\w+\/)?scoreframe"\s*:/.test(text)) return true;
    }
    if (dirname(folder) === folder) return false;
  }
}

async function namesLibrary(text: string, folder: string): Promise<boolean> {
  const [, target] = /"scoreframe"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  // A configuration of another form, such as one with a file of imports, is Deno's to read.
  if (target === undefined) return /"(importMap|workspace)"\s*:/.test(text);
  if (target.startsWith("file:")) return await isFile(fileURLToPath(target));
  const isPath = target.startsWith(".") || isAbsolute(target);
  return !isPath || await isFile(resolve(folder, target));
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then((found) => found.isFile(), () => false);
}
