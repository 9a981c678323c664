import { IntegrityError } from "../../base/errors.ts";
import type { LockedFact, LockedRelease, LockedView, LockFacts, StudyLock } from "./lock.ts";
import { factLine } from "./fact_line.ts";
import { commandLine } from "../../base/runtime/command_line.ts";

/**
 * Adds facts to a lock.
 *
 * @throws {IntegrityError} If a fact contradicts one in the lock: published sets, views and releases never change
 */
export function addFacts(lock: StudyLock, facts: LockFacts): StudyLock {
  const { sets = [], views = [], absences = [], releases = [], inputs = [], synthetic } = facts;
  return {
    ...lock,
    synthetic: lock.synthetic === true || synthetic === true ? true : synthetic ?? lock.synthetic,
    sets: unite(lock.sets, sets, ({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    views: unite(lock.views, views, viewKey, preferView),
    absences: unite(lock.absences, absences, ({ factor, at }) => `${factor} ${at}`),
    releases: uniteReleases(
      facts.repin === true ? withoutPinned(lock.releases, releases) : lock.releases,
      releases,
    ),
    inputs: withInputs(lock.inputs, inputs, facts.repin === true),
  };
}

/** Key of a view in a lock. */
export function viewKey({ factor, at }: Pick<LockedView, "factor" | "at">): string {
  return `${factor} ${at}`;
}

// A user's file may be pinned anew; published data may not.
function withInputs(
  known: StudyLock["inputs"],
  added: StudyLock["inputs"],
  isAnew: boolean,
): StudyLock["inputs"] {
  const kept = isAnew
    ? known.filter(({ path }) => !added.some((item) => item.path === path))
    : known;
  return unite(kept, added, ({ path }) => path);
}

function unite<Item extends LockedFact>(
  known: readonly Item[],
  added: readonly Item[],
  keyOf: (item: Item) => string,
  prefer: (known: Item, added: Item) => Item | null = sameLine,
): readonly Item[] {
  const items = new Map(known.map((item) => [keyOf(item), item]));
  for (const item of added) {
    const other = items.get(keyOf(item));
    const kept = other === undefined ? item : prefer(other, item);
    if (kept === null) throw contradiction(other!, item);
    items.set(keyOf(item), kept);
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
function withoutPinned(
  known: readonly LockedRelease[],
  added: readonly LockedRelease[],
): readonly LockedRelease[] {
  const keyOf = ({ factor, downloadSha256 }: LockedRelease) => `${factor} ${downloadSha256}`;
  const factors = new Set(added.map(({ factor }) => factor));
  const again = new Set(added.map(keyOf));
  return known.filter((release) => !again.has(keyOf(release))).map((release) =>
    factors.has(release.factor) ? { ...release, isDefault: false } : release
  );
}

// The default release of `history()` is fixed once for each factor.
function uniteReleases(
  known: readonly LockedRelease[],
  added: readonly LockedRelease[],
): readonly LockedRelease[] {
  const settled = added.map((release) => {
    const same = known.find(({ factor, downloadSha256 }) =>
      factor === release.factor && downloadSha256 === release.downloadSha256
    );
    const other = known.find(({ factor, isDefault }) => factor === release.factor && isDefault);
    const isDefault = same?.isDefault === true || (release.isDefault && other === undefined);
    return { ...release, isDefault };
  });
  return unite(known, settled, ({ factor, downloadSha256 }) => `${factor} ${downloadSha256}`, (
    before,
    after,
  ) => sameLine(withReceipt({ ...before, isDefault: after.isDefault }, after), after));
}

function contradiction(known: LockedFact, added: LockedFact): IntegrityError {
  return new IntegrityError(
    `Cannot add to the study: expected ${
      factLine(known)
    }, because what was published never changes, got ${
      factLine(added)
    }; ${commandLine()} study verify says which one the store has`,
  );
}
