import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isFile } from "../../base/disk/is_file.ts";
import { joined, type NotebookFile } from "./notebook_file.ts";

const CONFIGS = ["deno.json", "deno.jsonc"];
const IMPORT = /["']scoreframe(?:\/\w+)?["']/;

/**
 * Origin of the library that a notebook runs with: none, this one because its project has none, the copy in the study, or
 * that of the surrounding project.
 */
export type WhoseLibrary = "none" | "borrowed" | "brought" | "own";

/** Finds the origin of the library that a notebook runs with. */
export async function whoseLibrary(
  notebook: NotebookFile,
  { folder, cwd }: { readonly folder: string; readonly cwd: string },
): Promise<WhoseLibrary> {
  if (!asksForLibrary(notebook)) return "none";
  const project = await projectWithLibrary(cwd);
  if (project === null) return "borrowed";
  const inside = relative(folder, project);
  return inside.startsWith("..") || isAbsolute(inside) ? "own" : "brought";
}

/**
 * The folder of this library if a notebook imports it and its own project does not have it, as on another machine, where
 * the path in the project's configuration leads nowhere. Otherwise `null`.
 */
export async function libraryFolder(notebook: NotebookFile, cwd: string): Promise<string | null> {
  if (!asksForLibrary(notebook) || await projectWithLibrary(cwd) !== null) return null;
  const { dirname: own } = import.meta;
  const folder = own === undefined ? null : resolve(own, "../../..");
  return folder !== null && await isFile(join(folder, "deno.json")) &&
      await isFile(join(folder, "mod.ts"))
    ? folder
    : null;
}

function asksForLibrary({ cells }: NotebookFile): boolean {
  return cells.some(({ source }) => IMPORT.test(joined(source)));
}

// Like Deno: only the nearest configuration counts.
async function projectWithLibrary(from: string): Promise<string | null> {
  for (let folder = from;; folder = dirname(folder)) {
    for (const name of [...CONFIGS, "package.json"]) {
      const text = await readFile(join(folder, name), "utf8").catch(() => null);
      if (text !== null && CONFIGS.includes(name)) {
        return await namesLibrary(text, folder) ? folder : null;
      }
      if (text !== null && /"(@\w+\/)?scoreframe"\s*:/.test(text)) return folder;
    }
    if (dirname(folder) === folder) return null;
  }
}

async function namesLibrary(text: string, folder: string): Promise<boolean> {
  const [, target] = /"scoreframe"\s*:\s*"([^"]+)"/.exec(text) ?? [];
  // Other configurations, such as one with a separate import map, are left to Deno.
  if (target === undefined) return /"(importMap|workspace)"\s*:/.test(text);
  if (target.startsWith("file:")) return await isFile(fileURLToPath(target));
  const isPath = target.startsWith(".") || isAbsolute(target);
  return !isPath || await isFile(resolve(folder, target));
}
