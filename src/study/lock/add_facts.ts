import { IntegrityError } from "../../base/errors.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import {
  factKey,
  factLine,
  type LockedFact,
  type LockedRelease,
  type LockedView,
  type LockFacts,
  type StudyLock,
} from "./lock.ts";

/**
 * Adds facts to a lock.
 *
 * @throws {IntegrityError} If a fact contradicts one in the lock: published sets, views and releases never change
 */
export function addFacts(lock: StudyLock, facts: LockFacts): StudyLock {
  const { sets = [], views = [], absences = [], releases = [], inputs = [], synthetic } = facts;
  const isAnew = facts.repin === true;
  // A user's file may be pinned anew; published data may not.
  const pinned = lock.inputs.filter(({ path }) =>
    !isAnew || inputs.every((it) => it.path !== path)
  );
  return {
    ...lock,
    synthetic: lock.synthetic === true || synthetic === true ? true : synthetic ?? lock.synthetic,
    sets: unite(lock.sets, sets),
    views: unite(lock.views, views, preferView),
    absences: unite(lock.absences, absences),
    releases: uniteReleases(
      isAnew ? withoutPinned(lock.releases, releases) : lock.releases,
      releases,
    ),
    inputs: unite(pinned, inputs),
  };
}

function unite<Item extends LockedFact>(
  known: readonly Item[],
  added: readonly Item[],
  prefer: (known: Item, added: Item) => Item | null = sameLine,
): readonly Item[] {
  const items = new Map(known.map((item) => [factKey(item), item]));
  for (const item of added) {
    const other = items.get(factKey(item));
    const kept = other === undefined ? item : prefer(other, item);
    if (kept === null) throw contradiction(other!, item);
    items.set(factKey(item), kept);
  }
  return [...items.values()];
}

function sameLine<Item extends LockedFact>(known: Item, added: Item): Item | null {
  return factLine(known) === factLine(added) ? known : null;
}

// A panel of sets needs less than a view at the same instant; the more specific line stays.
function preferView(known: LockedView, added: LockedView): LockedView | null {
  if (known.snapshotId !== added.snapshotId) return null;
  if (known.check === null) return added.check === null ? withReceipt(known, added) : added;
  if (added.check === null) return known;
  return sameLine(withReceipt(known, added), added);
}

// A line of format 1 has fewer fields; any check of a set proves it.
function withReceipt<Item extends LockedView | LockedRelease>(known: Item, added: Item): Item {
  return { ...known, receipt: known.receipt ?? added.receipt };
}

// Corrected metadata of the same file replace the known ones.
function withoutPinned(known: readonly LockedRelease[], added: readonly LockedRelease[]) {
  const factors = new Set(added.map(({ factor }) => factor));
  const again = new Set(added.map(factKey));
  return known.filter((release) => !again.has(factKey(release))).map((release) =>
    factors.has(release.factor) ? { ...release, isDefault: false } : release
  );
}

// The default release of `history()` is fixed once for each factor.
function uniteReleases(known: readonly LockedRelease[], added: readonly LockedRelease[]) {
  const settled = added.map((release) => {
    const same = known.find((other) => factKey(other) === factKey(release));
    const other = known.find(({ factor, isDefault }) => factor === release.factor && isDefault);
    const isDefault = same?.isDefault === true || (release.isDefault && other === undefined);
    return { ...release, isDefault };
  });
  return unite(
    known,
    settled,
    (before, after) =>
      sameLine(withReceipt({ ...before, isDefault: after.isDefault }, after), after),
  );
}

function contradiction(known: LockedFact, added: LockedFact): IntegrityError {
  return new IntegrityError(
    `Cannot add to the study: expected ${factLine(known)}, because what was published never ` +
      `changes, got ${factLine(added)}; ${commandLine()} study verify says which one the ` +
      "store has",
  );
}
