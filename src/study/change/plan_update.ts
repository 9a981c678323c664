import type { DataFrame } from "nodejs-polars";
import { compare, type Comparison } from "../../client/compare.ts";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { currentEnvironment } from "../current_environment.ts";
import { addFacts } from "../lock/add_facts.ts";
import type { LockedRelease, LockedView, StudyLock } from "../lock/lock.ts";
import { changeLock } from "../lock/lock_file.ts";
import { hashRelease } from "../numbers/hash_numbers.ts";
import { releaseFact } from "../replay/release_facts.ts";
import { setFact, setKey } from "../replay/set_facts.ts";
import { receivedAt, storedRelease } from "../verbs/study_context.ts";
import { lastClose } from "../verbs/study_history.ts";
import { aheadError, movedError, type StudyPlace } from "../study_place.ts";
import { knownIn, readWalk, walkPublications } from "../verbs/study_publications.ts";
import { viewFact } from "../verbs/assert_as_locked.ts";

/** Changes that moving a study to a later time would make. */
export interface UpdatePlan {
  /** The study's time before and after. */
  readonly asOf: { readonly before: Instant; readonly after: Instant };
  /** The changes. */
  readonly changes: readonly PlannedChange[];
  /** Applies the changes: the lock is replaced as a whole. */
  apply(): Promise<void>;
}

/**
 * Loads at the new time what the study loaded at its own: the sets in force, the current releases and the lists of
 * publications. Existing data is kept, and the lock changes only when the plan is applied.
 *
 * @throws {ScoreframeError} If the new time is not after the study's
 */
export async function planUpdate(place: StudyPlace, asOf: Instant | null): Promise<UpdatePlan> {
  const lock = await place.pinned();
  const { now, world } = await place.askService();
  const after = asOf ?? now;
  if (after > now) throw aheadError(place.folder, after, now);
  if (after <= lock.asOf) {
    throw new ScoreframeError(
      `Cannot update the study ${place.folder}: expected a time after its own ${lock.asOf}, got ${after}; use a later one`,
    );
  }
  const loaded: PlannedPart[] = [];
  for (const factor of FACTORS) {
    const view = lock.views.find((known) => known.factor === factor && known.at === lock.asOf);
    if (view !== undefined) loaded.push(await updateSet(place, view, after));
    const list = await renewPublications(place, factor, after);
    if (list !== null) loaded.push(list);
    const release = lock.releases.find((known) => known.factor === factor && known.isDefault);
    if (release !== undefined) loaded.push(await updateRelease(place, release, after));
  }
  const environment = await currentEnvironment();
  return {
    asOf: { before: lock.asOf, after },
    changes: loaded.map(({ change }) => change),
    apply: async () => {
      await changeLock(place.folder, (known) => {
        const last = known ?? lock;
        // Another plan may have been applied since this one was made.
        if (last.asOf !== lock.asOf) throw movedError(place.folder, lock.asOf, last.asOf);
        const moved = { ...last, asOf: after, world: world ?? last.world, environment };
        return withoutUnused(loaded.reduce((next, { lock: change }) => change(next), moved));
      });
    },
  };
}

async function updateSet(
  place: StudyPlace,
  view: LockedView,
  after: Instant,
): Promise<PlannedPart> {
  const { factor } = view;
  const before = await (await place.replay()).scores(factor, { at: view.at });
  const { data, raw } = await (await place.live()).scores(factor, { at: after }).withResponse();
  const { check, rows } = raw;
  const isSame = check.snapshotId === view.snapshotId;
  const retrievedAt = await receivedAt(await place.openStore(), check);
  const fresh = viewFact(after, check, retrievedAt);
  return {
    change: {
      kind: "set",
      factor,
      before: view.snapshotId,
      after: check.snapshotId,
      comparison: isSame ? null : compareAll(before, data),
    },
    lock: (lock) => {
      const views = lock.views.filter((known) => known.factor !== factor || known.at !== view.at);
      return addFacts({ ...lock, views }, { sets: [setFact(check, rows)], views: [fresh] });
    },
  };
}

async function updateRelease(
  place: StudyPlace,
  release: LockedRelease,
  asOf: Instant,
): Promise<PlannedPart> {
  const { factor, downloadSha256 } = release;
  const { data, raw } = await (await place.live()).history(factor).withResponse();
  const after = raw.release.downloadSha256;
  const isSame = after === downloadSha256;
  const close = lastClose(raw.release.lastSession);
  if (!isSame && close !== null && close > asOf) {
    const reason = `the offered release has a session that closes later, at ${close}`;
    const change = { factor, before: downloadSha256, after: downloadSha256, reason };
    return { change: { kind: "release", ...change, comparison: null }, lock: (lock) => lock };
  }
  const known = { downloadSha256, offline: true };
  const before = isSame ? null : await (await place.replay()).history(factor, known);
  // From now on the store uses corrected metadata.
  const stored = await storedRelease(await place.openStore(), factor, after);
  const isKnown = isSame && release.receipt?.said === hashRelease(stored.release);
  const fact = isKnown ? release : await releaseFact(factor, stored, true);
  return {
    change: {
      kind: "release",
      factor,
      before: downloadSha256,
      after,
      comparison: before && compareAll(before, data),
    },
    lock: (lock) => {
      const releases = lock.releases.filter((known) => known.factor !== factor || !known.isDefault);
      return addFacts({ ...lock, releases }, { releases: [fact] });
    },
  };
}

// An update also shows a new calculation definition.
function compareAll(before: DataFrame, after: DataFrame): Comparison {
  return compare(before, after, { mixed: true });
}

const BEGINNING: Instant = "0000-01-01T00:00:00.000Z";

/** Lists the publications of a factor up to a new time, if a list up to the study's time was loaded; else `null`. */
async function renewPublications(
  place: StudyPlace,
  factor: Factor,
  after: Instant,
): Promise<PlannedPart | null> {
  const lock = await place.pinned();
  const newest = await newestOfList(lock, factor);
  if (newest === null) return null;
  // The lock already has the list before this point.
  const interval = { from: newest, to: after };
  const { raw } = await (await place.live()).publications(factor, interval).withResponse();
  const { views } = await readWalk(await place.openStore(), factor, interval);
  const published = raw.filter(({ check }) => check.calculatedAt > newest).length;
  return {
    change: { kind: "publications", factor, before: lock.asOf, after, published, comparison: null },
    lock: (known) =>
      addFacts(known, {
        sets: views.map(({ set: { check, rows } }) => setFact(check, rows)),
        views: views.map(({ at, set, retrievedAt }) => viewFact(at, set.check, retrievedAt)),
      }),
  };
}

// Only a list requests the instant just before a publication; without that instant no list was loaded.
async function newestOfList(lock: StudyLock, factor: Factor): Promise<Instant | null> {
  const known = knownIn(lock, factor);
  const walked = await walkPublications({ from: BEGINNING, to: lock.asOf }, known);
  const [first, second] = walked.map(({ known }) => known);
  const isList = second !== undefined && second !== "unknown";
  return isList && typeof first === "object" ? first.calculatedAt : null;
}

/** A planned change for one factor. */
export interface PlannedChange {
  /** A set at the study's time, its release, or its list of publications up to that time. */
  readonly kind: "set" | "release" | "publications";
  /** The factor. */
  readonly factor: Factor;
  /** Id of the set, checksum of the release, or end of the list before. */
  readonly before: string;
  /** The same after. */
  readonly after: string;
  /** Number of sets published in between; for lists only. */
  readonly published?: number;
  /** Reason to keep the present one although the service offers another. */
  readonly reason?: string;
  /** Comparison of the scores; `null` for an unchanged set or release, and for a list. */
  readonly comparison: Comparison | null;
}

/** A planned change and the function that applies it to a lock. */
interface PlannedPart {
  /** The change. */
  readonly change: PlannedChange;
  /** Applies it to a lock. */
  readonly lock: (lock: StudyLock) => StudyLock;
}

// The lock holds a set only because of its views.
function withoutUnused(lock: StudyLock): StudyLock {
  const used = new Set(lock.views.map(setKey));
  return { ...lock, sets: lock.sets.filter((set) => used.has(setKey(set))) };
}
