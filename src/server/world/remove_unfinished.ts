import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

// Far longer than any build; a younger file may belong to a process that is building the same world.
const LEFT_BEHIND_MS = 10 * 60 * 1000;

/** Removes what interrupted builds left in the folder of a world: files and folders that were never moved into place. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((candidate) => candidate.startsWith(".tmp-"))) {
    const path = join(folder, name);
    const status = await stat(path).catch(() => null);
    if (status === null || Date.now() - status.mtimeMs < LEFT_BEHIND_MS) continue;
    // Another process may remove it at the same time.
    await rm(path, { recursive: true, force: true });
  }
}
