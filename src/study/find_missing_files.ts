import { access } from "node:fs/promises";
import { join } from "node:path";
import { LAYOUT, RELEASE_FILE } from "../base/store/layout.ts";
import type { StudyLock } from "./lock/lock.ts";

/** Files of the sets and releases in a lock that the store lacks, relative to the store. */
export async function findMissingFiles(lock: StudyLock, store: string): Promise<readonly string[]> {
  const places = [
    ...lock.sets.map(({ factor, snapshotId }) => LAYOUT.eitherSet(factor, snapshotId)),
    ...lock.releases.map(({ factor, downloadSha256 }) =>
      [join(LAYOUT.release(factor, downloadSha256), RELEASE_FILE)] as const
    ),
  ];
  const isThere = await Promise.all(
    places.map((paths) =>
      Promise.any(paths.map((path) => access(join(store, path)))).then(() => true, () => false)
    ),
  );
  return places.filter((_, i) => !isThere[i]).map((paths) => paths.at(-1)!);
}
