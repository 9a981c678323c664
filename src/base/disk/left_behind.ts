import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { removeIfThere, TEMPORARY_PREFIX } from "./files.ts";

// A transfer takes two minutes at most (section 8), and no other temporary file takes longer.
const LEFT_BEHIND_MS = 60 * 60 * 1000;

/**
 * Removes abandoned temporary files of a folder: notebook kernels are killed without warning, and releases are large.
 */
export async function removeLeftBehind(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names.filter((name) => name.startsWith(TEMPORARY_PREFIX))) {
    const path = join(folder, name);
    const status = await stat(path).catch(() => null);
    if (status === null || Date.now() - status.mtimeMs < LEFT_BEHIND_MS) continue;
    // The file may belong to another user, or be gone.
    await removeIfThere(path).catch(() => undefined);
  }
}
