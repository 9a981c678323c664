import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { temporaryPath } from "./files.ts";

/**
 * Creates or replaces a file under a temporary name and renames it, so that an earlier file stays until the new one is complete.
 *
 * @param write Writes the content to the path that it gets
 * @param temporary Temporary path on the same file system; a name in the folder of the file by default
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
  temporary: string = temporaryPath(dirname(path)),
): Promise<void> {
  try {
    await write(temporary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
