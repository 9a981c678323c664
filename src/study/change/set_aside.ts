import { rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ASIDE_PREFIX } from "../../base/store/layout.ts";
import { onDisk } from "../../base/disk/on_disk.ts";

/** Sets files of a store aside: they are no longer read, but can be inspected. */
export async function setAside(store: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const [from, to] = [
      join(store, path),
      join(store, dirname(path), `${ASIDE_PREFIX}${basename(path)}`),
    ];
    await onDisk(`set ${from} aside`, async () => {
      await rm(to, { recursive: true, force: true });
      await rename(from, to);
    });
  }
}
