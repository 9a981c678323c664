import { join } from "node:path";
import { FACTORS } from "../../base/contract/factor.ts";
import { LAYOUT, RELEASE_FILE } from "../../base/store/layout.ts";
import type { Store } from "../../base/store/store.ts";
import { factLine, type StudyLock } from "../lock/lock.ts";
import { releaseFact } from "../replay/release_facts.ts";
import type { Findings } from "./findings.ts";
import { releaseOf } from "../verbs/stored_answer.ts";
import { isThere } from "../../base/disk/is_file.ts";

/** Compares each release in a lock with its file in the store, row by row. */
export async function verifyReleases(
  lock: StudyLock,
  store: Store,
  found: Findings,
): Promise<void> {
  for (const release of lock.releases) {
    const { factor, downloadSha256 } = release;
    const stored = await releaseOf(store, release).catch(() => null);
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
  await noteOtherReleases(lock, store, found);
  for (const factor of new Set(lock.releases.map((release) => release.factor))) {
    const defaults = lock.releases.filter((known) => known.factor === factor && known.isDefault);
    if (defaults.length < 2) continue;
    found.ofLock(`expected one default release of ${factor}, got ${defaults.length}`);
  }
}

async function noteOtherReleases(lock: StudyLock, store: Store, found: Findings): Promise<void> {
  const known = new Set(lock.releases.map(({ downloadSha256 }) => downloadSha256));
  for (const factor of FACTORS) {
    const stored = await store.listReleases(factor).catch(() => []);
    const others = stored.filter(({ release }) => !known.has(release.downloadSha256)).length;
    if (others === 0) continue;
    const path = join("store", LAYOUT.releases(factor));
    found.note(path, `${others} that the lock does not name (harmless; gc removes it)`);
  }
}
