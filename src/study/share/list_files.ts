import { join } from "node:path";
import { isFile } from "../../base/disk/is_file.ts";

/**
 * Sorted paths, with slashes, of the files below a folder. Links to files are followed; hidden files and installed packages
 * are left out.
 *
 * @param without Path of a folder that is left out
 */
export async function listFiles(folder: string, without?: string): Promise<readonly string[]> {
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
      } else if (entry.isFile || (entry.isSymlink && await isFile(join(folder, path)))) {
        found.push(path);
      }
    }
  }
  return found.sort();
}
