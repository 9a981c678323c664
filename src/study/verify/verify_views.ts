import { findSetInForce } from "../../client/scores/stored_scores.ts";
import { selectCheckAt } from "../../store/scores/select_check.ts";
import type { Store } from "../../store/store.ts";
import { LOCK_FILE, type LockedView, type StudyLock } from "../lock/lock.ts";
import { factLine } from "../lock/lock_text.ts";
import { checkFact, setKey } from "../replay/set_facts.ts";
import type { Findings } from "./findings.ts";

/** Compares each view of a lock with what the store proves of its instant, and each absence. */
export async function verifyViews(
  lock: StudyLock,
  store: Store,
  { found, step }: { readonly found: Findings; readonly step: () => void },
): Promise<void> {
  const sets = new Map(lock.sets.map((set) => [setKey(set), set]));
  const used = new Set<string>();
  for (const view of lock.views) {
    used.add(setKey(view));
    if (!sets.has(setKey(view))) {
      found.problem(
        LOCK_FILE,
        `expected the set of ${factLine(view)} in the lock, got none`,
      );
    }
    await verifyView(lock, { store, view, found })
      .catch((error) => found.line(view, `"${(error as Error).message}"`));
    step();
  }
  for (const set of lock.sets.filter((known) => !used.has(setKey(known)))) {
    found.problem(LOCK_FILE, `expected a view of ${factLine(set)} in the lock, got none`);
  }
  for (const { factor, at } of lock.absences) {
    const selection = await selectCheckAt(store, factor, at);
    if (!selection.known || selection.stored === null) continue;
    const { lastCheckedAt } = selection.stored.check;
    found.line({ factor, at }, `the check of ${lastCheckedAt}, which was not absent`);
  }
}

async function verifyView(
  lock: StudyLock,
  { store, view, found }: {
    readonly store: Store;
    readonly view: LockedView;
    readonly found: Findings;
  },
): Promise<void> {
  const { factor, at } = view;
  const selection = await selectCheckAt(store, factor, at);
  const inForce = view.check === null ? await findSetInForce(store, factor, at) : null;
  const stored = inForce?.kind === "found"
    ? inForce.stored
    : selection.known
    ? selection.stored
    : null;
  if (stored === null) return found.line(view, "no check that proves it");
  const { check } = stored;
  const has = {
    factor,
    at,
    snapshotId: check.snapshotId,
    check: view.check === null ? null : checkFact(check),
  };
  if (factLine(has) !== factLine(view)) return found.line(view, factLine(has));
  const set = lock.sets.find((known) => setKey(known) === setKey(view));
  if (set === undefined || set.universe === check.universe) return;
  found.line(set, `the universe ${JSON.stringify(check.universe)}`);
}
