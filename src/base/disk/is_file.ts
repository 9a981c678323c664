import { access, stat } from "node:fs/promises";

/** True if a path leads to something. */
export function isThere(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}

/** True if a path leads to a file. */
export function isFile(path: string): Promise<boolean> {
  return stat(path).then((found) => found.isFile(), () => false);
}
