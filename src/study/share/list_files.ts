import { join } from "node:path";

/**
 * Sorted paths, with slashes, of the files below a folder. Links, which may lead out of it, are left out, as are hidden files
 * and installed packages.
 *
 * @param without Path of a folder that is left out
 */
export function listFiles(folder: string, without?: string): readonly string[] {
  const found: string[] = [];
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    // A quarter of the time of Node's, which makes an object with methods for each entry.
    for (const entry of Deno.readDirSync(join(folder, at))) {
      const { name } = entry;
      const path = `${at}${name}`;
      if (name.startsWith(".")) continue;
      if (entry.isDirectory) {
        if (name !== "node_modules" && name !== "__pycache__" && path !== without) {
          waiting.push(`${path}/`);
        }
      } else if (entry.isFile) {
        found.push(path);
      }
    }
  }
  return found.sort();
}
