import { join } from "node:path";
import { isThere } from "../../base/disk/files.ts";
import { findSetInForce } from "../../client/scores/stored_scores.ts";
import { FACTORS } from "../../base/contract/factor.ts";
import { type StoredCheck, storedCheckName } from "../../base/store/scores/check_file.ts";
import { selectCheckAt } from "../../base/store/checks/select_check.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { LAYOUT, RELEASE_FILE, RELEASE_METADATA } from "../../base/store/layout.ts";
import { Store } from "../../base/store/store.ts";
import type { LockedRelease, LockedSet, LockedView, StudyLock } from "../lock/lock.ts";
import { hashCheck, hashRelease, hashSetNumbers } from "../numbers/hash_numbers.ts";
import { checkFact, setKey } from "../replay/set_facts.ts";
import { findRelease } from "../../client/release/stored_releases.ts";

/** Entries of a lock that its store lacks. */
export interface StoreSurvey {
  /** Files that are damaged or differ from the lock, relative to the store. */
  readonly wrong: readonly string[];
  /** Sets that are missing or wrong, each as `factor id`. */
  readonly lackingSets: ReadonlySet<string>;
  /** Views for which the store has no correct set. */
  readonly lacking: readonly LockedView[];
  /** Releases that are missing or wrong. */
  readonly lackingReleases: readonly LockedRelease[];
}

/** Finds the entries of a lock that its store lacks, and the wrong files in the store. Changes nothing. */
export async function surveyStore(folder: string, lock: StudyLock): Promise<StoreSurvey> {
  const store = await Store.open(join(folder, "store")).catch(() => null);
  if (store === null) {
    return {
      wrong: [],
      lackingSets: new Set(lock.sets.map(setKey)),
      lacking: lock.views,
      lackingReleases: lock.releases,
    };
  }
  const wrong = new Set<string>();
  await findUnreadable(store, wrong);
  const lackingSets = new Set<string>();
  for (const set of lock.sets) {
    const files = await wrongFilesOf(store, set);
    if (files === null) continue;
    lackingSets.add(setKey(set));
    for (const path of files) wrong.add(path);
  }
  const lacking: LockedView[] = [];
  for (const view of lock.views) {
    const isProved = await isProvedBy(store, view, wrong);
    if (!isProved || lackingSets.has(setKey(view))) lacking.push(view);
  }
  const lackingReleases: LockedRelease[] = [];
  for (const release of lock.releases) {
    if (!await isWhole(store, release, wrong)) lackingReleases.push(release);
  }
  return { wrong: [...wrong].sort(), lackingSets, lacking, lackingReleases };
}

async function findUnreadable(store: Store, wrong: Set<string>): Promise<void> {
  for (const factor of FACTORS) {
    const checks = await store.listChecks(factor);
    for (const { name } of checks) {
      await store.readCheck(factor, name).catch(() => wrong.add(LAYOUT.check(factor, name)));
    }
    for (const at of await store.listViews(factor)) {
      const view = await store.readView(factor, at).catch(() => null);
      const isThere = view !== null && checks.some(({ name }) => name === view.check);
      if (!isThere) wrong.add(LAYOUT.view(factor, at));
    }
  }
}

/** Files of a set that differs from the lock; empty if the set is missing, `null` if it is right. */
async function wrongFilesOf(store: Store, set: LockedSet): Promise<readonly string[] | null> {
  const { factor, snapshotId } = set;
  const stored = await store.readSet(factor, snapshotId).catch(() => null);
  const isRight = stored !== null && hashSetNumbers(factor, stored.rows) === set.numbers &&
    stored.calculatedAt === set.calculatedAt && stored.factorVersion === set.factorVersion;
  return isRight ? null : await store.setFiles(factor, snapshotId);
}

async function isProvedBy(store: Store, view: LockedView, wrong: Set<string>): Promise<boolean> {
  const stored = await checkOf(store, view).catch(() => null);
  if (stored === null) return false;
  const { check } = stored;
  const isOwn = view.check !== null;
  const isRight = check.snapshotId === view.snapshotId &&
    (!isOwn || JSON.stringify(checkFact(check)) === JSON.stringify(view.check)) &&
    (!isOwn || view.receipt === null || view.receipt.said === hashCheck(check));
  if (isRight) return true;
  wrong.add(LAYOUT.check(view.factor, storedCheckName(stored.check)));
  return false;
}

/** The check of a view, as far as the store proves it. */
export async function checkOf(store: Store, view: LockedView): Promise<StoredCheck | null> {
  const { factor, at } = view;
  if (view.check === null) {
    const found = await findSetInForce(store, factor, at);
    return found.kind === "found" ? found.stored : null;
  }
  const selection = await selectCheckAt(store, factor, at);
  return selection.known ? selection.stored : null;
}

async function isWhole(store: Store, line: LockedRelease, wrong: Set<string>): Promise<boolean> {
  const { factor, downloadSha256 } = line;
  const place = LAYOUT.release(factor, downloadSha256);
  const [file, metadata] = [join(place, RELEASE_FILE), join(place, RELEASE_METADATA)];
  const has = (path: string) => isThere(join(store.path, path));
  const hashed = await has(file) ? await hashFile(join(store.path, file)) : null;
  const isRight = hashed?.sha256 === downloadSha256;
  if (hashed !== null && !isRight) wrong.add(file);
  const stored = await findRelease(store, factor, downloadSha256).catch(() => null);
  const isSaid = stored !== null &&
    (line.receipt === null || line.receipt.said === hashRelease(stored.release));
  if (!isSaid && await has(metadata)) wrong.add(metadata);
  return isRight && isSaid;
}
