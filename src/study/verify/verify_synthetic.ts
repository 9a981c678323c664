import { FACTORS } from "../../base/contract/factor.ts";
import type { Store } from "../../base/store/store.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import type { Findings } from "./findings.ts";

/** Finds synthetic data under a lock whose head does not declare it. */
export async function verifySynthetic(
  lock: StudyLock,
  store: Store,
  found: Findings,
): Promise<void> {
  if (lock.synthetic === true) return;
  for (const factor of FACTORS) {
    const entries = await store.listChecks(factor).catch(() => []);
    for (const { name } of entries) {
      // A damaged file is reported by the verification of the store.
      const stored = await store.readCheck(factor, name).catch(() => null);
      if (stored?.check.extra.synthetic !== true) continue;
      return contradiction(lock, `the ${factor} check of ${stored.check.lastCheckedAt}`, found);
    }
    const releases = await store.listReleases(factor).catch(() => []);
    if (!releases.some(({ release }) => release.extra.synthetic === true)) continue;
    return contradiction(lock, `a release of ${factor}`, found);
  }
}

function contradiction({ synthetic }: StudyLock, what: string, found: Findings): void {
  found.problem(
    LOCK_FILE,
    `expected "synthetic": true, because ${what} in the store is synthetic, got ${synthetic}`,
  );
}
