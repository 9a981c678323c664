import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { FACTORS } from "../../base/contract/factor.ts";
import { isThere, kindOf, TEMPORARY_PREFIX } from "../../base/disk/files.ts";
import { ASIDE_PREFIX, isStoreFile, LAYOUT, RELEASE_FILE } from "../../base/store/layout.ts";
import type { StoredCheck } from "../../base/store/scores/check_file.ts";
import { factLine, type LockedView } from "../lock/lock.ts";
import { releaseFact } from "../replay/release_facts.ts";
import type { Compared, Findings } from "./findings.ts";
import { findRelease } from "../../client/release/stored_releases.ts";
import { findSetInForce } from "../../client/scores/stored_scores.ts";
import { selectCheckAt } from "../../base/store/checks/select_check.ts";
import { setKey } from "../replay/set_facts.ts";
import { hashCheck } from "../numbers/hash_numbers.ts";
import { receiptsOf, viewAsStored } from "../verbs/assert_as_locked.ts";
import type { Instant } from "../../base/contract/instant.ts";

const MOST_NAMED = 10;

/** Compares each release in a lock with its file in the store, row by row. */
export async function verifyReleases({ lock, store, found }: Compared): Promise<void> {
  for (const release of lock.releases) {
    const { factor, downloadSha256 } = release;
    const stored = await findRelease(store, factor, downloadSha256).catch(() => null);
    const folder = LAYOUT.release(factor, downloadSha256);
    const path = join("store", folder, RELEASE_FILE);
    if (stored === null || !await isThere(join(store.path, folder, RELEASE_FILE))) {
      const isNamed = found.problems.some((problem) =>
        problem.path.startsWith(join("store", folder))
      );
      if (!isNamed) found.problem(path, "the lock has this release, but its file is missing");
    } else {
      const has = await releaseFact(factor, stored, release.isDefault);
      // Lines of format 1 have no receipt.
      const fact = { ...has, receipt: release.receipt && has.receipt };
      if (factLine(fact) !== factLine(release)) found.line(release, factLine(fact));
    }
    found.step();
  }
  const known = new Set(lock.releases.map(({ downloadSha256 }) => downloadSha256));
  for (const factor of FACTORS) {
    const stored = await store.listReleases(factor).catch(() => []);
    const others = stored.filter(({ release }) => !known.has(release.downloadSha256)).length;
    const path = join("store", LAYOUT.releases(factor));
    if (others > 0) {
      found.note(path, `${others} that the lock does not name (harmless; gc removes it)`);
    }
    const defaults = lock.releases.filter((line) => line.factor === factor && line.isDefault);
    if (defaults.length < 2) continue;
    found.ofLock(`expected one default release of ${factor}, got ${defaults.length}`);
  }
}

/** Compares each view and each absence in a lock with what the store proves. */
export async function verifyViews(compared: Compared): Promise<void> {
  const { lock, store, found } = compared;
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const used = new Set<string>();
  const received = receiptsOf(lock);
  const checks = await hashedChecks(compared);
  for (const view of lock.views) {
    used.add(setKey(view));
    if (!sets.has(setKey(view))) {
      found.ofLock(`expected the set of ${factLine(view)} in the lock, got none`);
    }
    await verifyView(compared, view, received, checks)
      .catch((error) => found.line(view, `"${(error as Error).message}"`));
    found.step();
  }
  for (const set of lock.sets.filter((known) => !used.has(setKey(known)))) {
    found.ofLock(`expected a view of ${factLine(set)} in the lock, got none`);
  }
  for (const { factor, at } of lock.absences) {
    // Any check at or before that time contradicts the absence.
    const check = (await store.listChecks(factor).catch(() => []))
      .findLast(({ lastCheckedAt }) => lastCheckedAt <= at);
    if (check === undefined) continue;
    found.line({ factor, at }, `the check of ${check.lastCheckedAt}`);
  }
}

type Checks = ReadonlyMap<string, StoredCheck>;

// Views of sets alone name a check by its hash, and the store does not say which file has it.
async function hashedChecks({ lock, store }: Compared): Promise<Checks> {
  const hashed = new Map<string, StoredCheck>();
  const views = lock.views.filter(({ check }) => check === null);
  for (const factor of new Set(views.map((view) => view.factor))) {
    for (const { name } of await store.listChecks(factor).catch(() => [])) {
      // A damaged one is reported by the verification of the store.
      const stored = await store.readCheck(factor, name).catch(() => null);
      if (stored !== null) hashed.set(hashCheck(stored.check), stored);
    }
  }
  return hashed;
}

async function verifyView(
  { lock, store, found }: Compared,
  view: LockedView,
  received: ReadonlyMap<string, Instant>,
  checks: Checks,
): Promise<void> {
  const { factor, at } = view;
  const selection = await selectCheckAt(store, factor, at);
  const inForce = view.check === null ? await findSetInForce(store, factor, at) : null;
  const selected = selection.known ? selection.stored : null;
  const stored = inForce?.kind === "found" ? inForce.stored : selected;
  if (stored === null) return found.line(view, "no check that proves it");
  const { check, retrievedAt } = stored;
  const has = viewAsStored(view, check, retrievedAt, { received });
  if (factLine(has) !== factLine(view)) return found.line(view, factLine(has));
  const other = ofItsHash(view, checks);
  if (other !== null) return found.line(view, other);
  const set = lock.sets.find((known) => setKey(known) === setKey(view));
  if (set === undefined || set.universe === check.universe) return;
  found.line(set, `the universe ${JSON.stringify(check.universe)}`);
}

// A view of a set alone names a check by its hash, which another one may have proved.
function ofItsHash(view: LockedView, checks: Checks): string | null {
  if (view.check !== null || view.receipt === null) return null;
  const own = checks.get(view.receipt.said);
  if (own === undefined) return "no check of this hash";
  if (setKey(own.check) !== setKey(view)) return `the set ${own.check.snapshotId}`;
  const { retrievedAt } = own;
  return retrievedAt === view.receipt.retrievedAt ? null : `a check received at ${retrievedAt}`;
}

/** Notes what is in a store and is no file of one: nothing reads it, and no hash covers it. */
export async function noteUnknown(store: string, found: Findings): Promise<void> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true }).catch(() => []);
  const unknown = entries.filter((entry) => !entry.isDirectory())
    .map((entry) => relative(store, join(entry.parentPath, entry.name)).replaceAll(sep, "/"))
    .filter((path) => !isStoreFile(path) && !isLeftBehind(path))
    .sort();
  for (const path of unknown.slice(0, MOST_NAMED)) {
    const got = kindOf(join(store, path)) ?? "a file";
    const what = got === "a file" ? "" : `${got}, and `;
    found.note(join("store", path), `${what}no file of a store: nothing reads it`);
  }
  if (unknown.length <= MOST_NAMED) return;
  found.note("store", `${unknown.length - MOST_NAMED} more that are no files of a store`);
}

// Named by the verification of the store, or set aside by a restore.
function isLeftBehind(path: string): boolean {
  return path.split("/").some((name) =>
    name.startsWith(TEMPORARY_PREFIX) || name.startsWith(ASIDE_PREFIX)
  );
}
