import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import { TEMPORARY_PREFIX } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { isFlight, withFolder } from "../../base/disk/with_flight.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { ASIDE_PREFIX, LAYOUT } from "../../base/store/layout.ts";
import { Store } from "../../base/store/store.ts";
import type { StudyLock } from "../lock/lock.ts";
import { changeLock } from "../lock/lock_file.ts";
import { setKey } from "../replay/set_facts.ts";

/** A file or folder of a store that a lock does not need. */
export interface Garbage {
  /** Path, relative to the store. */
  readonly path: string;
  /** Size in bytes. */
  readonly sizeBytes: number;
}

/**
 * Removes the sets and releases that the lock does not name from the store of a study, with the checks and views that
 * led to them, and what a restore set aside or a killed process left behind. Nothing else is removed.
 *
 * @param folder Folder of the study
 * @param isDry Reports what would be removed, and removes nothing
 * @throws {ScoreframeError} If another process loads into the study
 */
export async function collectGarbage(folder: string, isDry: boolean): Promise<readonly Garbage[]> {
  const store = await Store.open(join(folder, "store"));
  const garbage: Garbage[] = [];
  const remove = async () => {
    // Locked, so that no other notebook adds a set to the lock while it is removed.
    await changeLock(folder, async (lock) => {
      for (const factor of FACTORS) garbage.push(...await garbageOf(store, factor, lock!));
      garbage.push(...await sized(store.path, await leftBehind(store.path, folder)));
      for (const { path } of isDry ? [] : garbage) {
        const place = join(store.path, path);
        await onDisk(`remove ${place}`, () => rm(place, { recursive: true, force: true }));
      }
      return lock!;
    });
  };
  // A load writes to the lock only when it ends.
  await withFolder(store.path, remove, { onBusy: () => isLoading(folder) });
  return garbage;
}

/** Files that a restore set aside, and those of killed processes; beside the store a lock or a signature. */
async function leftBehind(store: string, folder: string): Promise<readonly string[]> {
  // Nobody loads meanwhile, but a process may wait at the file of a flight.
  const isUnfinished = (path: string) =>
    basename(path).startsWith(TEMPORARY_PREFIX) && !isFlight(basename(path));
  const within = (await readdir(store, { recursive: true }))
    .filter((path) => basename(path).startsWith(ASIDE_PREFIX) || isUnfinished(path));
  const beside = (await readdir(folder)).filter(isUnfinished);
  return [...within.sort(), ...beside.sort().map((name) => join("..", name))];
}

function isLoading(folder: string): never {
  throw new ScoreframeError(
    `Cannot remove unused files of the study ${folder}: expected no load into it at the same time, got one in progress; ` +
      "retry when it has ended",
  );
}

async function garbageOf(store: Store, factor: Factor, lock: StudyLock) {
  const needed = new Set(lock.sets.map(setKey));
  const isNeeded = (snapshotId: string) => needed.has(setKey({ factor, snapshotId }));
  const paths: string[] = [];
  const dropped = new Set<string>();
  for (const { name } of await store.listChecks(factor)) {
    const stored = await store.readCheck(factor, name);
    if (stored === null || isNeeded(stored.check.snapshotId)) continue;
    dropped.add(name);
    paths.push(LAYOUT.check(factor, name));
  }
  for (const at of await store.listViews(factor)) {
    const view = await store.readView(factor, at);
    if (view !== null && dropped.has(view.check)) paths.push(LAYOUT.view(factor, at));
  }
  for (const id of await store.listSets(factor)) {
    if (!isNeeded(id)) paths.push(...await store.setFiles(factor, id));
  }
  const releases = new Set(lock.releases.map((known) => `${known.factor} ${known.downloadSha256}`));
  for (const { release: { downloadSha256 } } of await store.listReleases(factor)) {
    if (releases.has(`${factor} ${downloadSha256}`)) continue;
    paths.push(LAYOUT.release(factor, downloadSha256));
  }
  // A view goes before the check that it names, and both before the set.
  const rank = (path: string) => path.includes("views") ? 0 : path.includes("checks") ? 1 : 2;
  const sorted = paths.toSorted((a, b) => rank(a) - rank(b));
  return await sized(store.path, sorted);
}

async function sized(store: string, paths: readonly string[]): Promise<readonly Garbage[]> {
  return await Promise.all(
    paths.map(async (path) => ({ path, sizeBytes: await sizeOf(join(store, path)) })),
  );
}

/** Size of a file, or of all files in a folder. */
export async function sizeOf(path: string): Promise<number> {
  const status = await stat(path).catch(() => null);
  if (status === null) return 0;
  if (status.isFile()) return status.size;
  const names = await readdir(path, { recursive: true });
  const sizes = await Promise.all(
    names.map(async (name) => {
      const entry = await stat(join(path, name)).catch(() => null);
      return entry?.isFile() ? entry.size : 0;
    }),
  );
  return sizes.reduce((total, size) => total + size, 0);
}
