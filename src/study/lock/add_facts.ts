import { IntegrityError } from "../../errors.ts";
import type { LockedRelease, LockedView, LockFacts, StudyLock } from "./lock.ts";
import { factLine } from "./lock_text.ts";
import { commandLine } from "../../runtime/command_line.ts";

/**
 * A lock with further facts.
 *
 * @throws {IntegrityError} If a fact contradicts one that the lock has: a published set, a view once given and a release
 *   never change
 */
export function addFacts(lock: StudyLock, facts: LockFacts): StudyLock {
  const { sets = [], views = [], absences = [], releases = [], synthetic } = facts;
  return {
    ...lock,
    synthetic: lock.synthetic === true || synthetic === true ? true : synthetic ?? lock.synthetic,
    sets: unite(lock.sets, sets, ({ factor, snapshotId }) => `${factor} ${snapshotId}`),
    views: unite(lock.views, views, viewKey, preferView),
    absences: unite(lock.absences, absences, ({ factor, at }) => `${factor} ${at}`),
    releases: uniteReleases(
      facts.repin === true ? withoutDefaults(lock.releases, releases) : lock.releases,
      releases,
    ),
  };
}

/** Names a view in a lock. */
export function viewKey({ factor, at }: Pick<LockedView, "factor" | "at">): string {
  return `${factor} ${at}`;
}

type Fact = Parameters<typeof factLine>[0];

function unite<Item extends Fact>(
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

function sameLine<Item extends Fact>(known: Item, added: Item): Item | null {
  return factLine(known) === factLine(added) ? known : null;
}

// A panel of sets asks for less than a view of the same instant: what is known more exactly stays.
function preferView(known: LockedView, added: LockedView): LockedView | null {
  if (known.snapshotId !== added.snapshotId) return null;
  if (known.check === null) return added;
  return added.check === null ? known : sameLine(known, added);
}

function withoutDefaults(
  known: readonly LockedRelease[],
  added: readonly LockedRelease[],
): readonly LockedRelease[] {
  const factors = new Set(added.map(({ factor }) => factor));
  return known.map((release) =>
    factors.has(release.factor) ? { ...release, isDefault: false } : release
  );
}

// Which one `history()` gives is decided once for each factor.
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
  ) => sameLine({ ...before, isDefault: after.isDefault }, after));
}

function contradiction(known: Fact, added: Fact): IntegrityError {
  return new IntegrityError(
    `Cannot add to the study: expected ${
      factLine(known)
    }, because what was published never changes, got ${
      factLine(added)
    }; ${commandLine()} study verify tells which one the store has`,
  );
}
