import { join } from "node:path";
import type { StoredRelease } from "../base/store/release/release_file.ts";
import { Store } from "../base/store/store.ts";
import type { StoreReader } from "../base/store/store_reader.ts";
import { type TimeLimit, timeLimit } from "./hold_out/time_limit.ts";
import type { LockedRelease, StudyLock } from "./lock/lock.ts";

/**
 * Store of a study for a server: what the study shows, and nothing else. It has the releases of the lock from the study's time
 * on, although they were received after it, and nothing of a hold-out, which a server cannot open.
 */
export interface ServedStore extends StoreReader {
  /** The time through which the study shows data, and its hold-out. */
  readonly limit: TimeLimit;
  /** Releases of the lock that reach into the hold-out. */
  readonly withheld: readonly LockedRelease[];
}

/**
 * Opens the store of a study.
 *
 * @throws {StorageError} If it cannot be read
 */
export async function openServedStore(folder: string, lock: StudyLock): Promise<ServedStore> {
  const store = await Store.open(join(folder, "store"));
  const limit = timeLimit(lock, new Set());
  const { through, heldOut } = limit;
  const isHeld = ({ lastSession }: LockedRelease) =>
    heldOut !== null && (lastSession ?? "") >= heldOut.from;
  const served = lock.releases.filter((line) => !isHeld(line));
  const lines = new Map(served.map((line) => [line.downloadSha256, line]));
  const rank = ({ release }: StoredRelease) => Number(lines.get(release.downloadSha256)!.isDefault);
  return {
    path: store.path,
    info: store.info,
    limit,
    withheld: lock.releases.filter(isHeld),
    readSet: async (factor, snapshotId) => {
      const set = await store.readSet(factor, snapshotId);
      return set !== null && set.calculatedAt <= through ? set : null;
    },
    readCheck: (factor, name) => store.readCheck(factor, name),
    readView: async (factor, at) => at <= through ? await store.readView(factor, at) : null,
    listSets: (factor) => store.listSets(factor),
    listChecks: async (factor) =>
      (await store.listChecks(factor)).filter(({ lastCheckedAt }) => lastCheckedAt <= through),
    listViews: async (factor) => (await store.listViews(factor)).filter((at) => at <= through),
    // The default release, which a server offers, is last.
    listReleases: async (factor) =>
      (await store.listReleases(factor))
        .filter(({ release }) => lines.get(release.downloadSha256)?.factor === factor)
        .map((stored) =>
          stored.availableFrom > through ? { ...stored, availableFrom: through } : stored
        )
        .toSorted((a, b) => rank(a) - rank(b)),
  };
}
