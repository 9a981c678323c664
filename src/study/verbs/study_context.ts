import type { LockedAbsence, LockedSet, StudyLock } from "../lock/lock.ts";
import { frozenError, type MissingEntry } from "../replay/refusals.ts";
import type { FactorApi } from "../../client/factor_api.ts";
import { StorageError, TransportError } from "../../base/errors.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { TimeLimit } from "../hold_out/time_limit.ts";
import { findMissingFiles } from "../find_missing_files.ts";
import type { StudyPlace } from "../study_place.ts";
import { LockedNumbers, type ViewedSet, viewFact } from "./assert_as_locked.ts";

const MOST_NAMED = 3;

/** State that the verbs of a study share. */
export interface StudyContext {
  /** Folder, lock and connections. */
  readonly place: StudyPlace;
  /** Lines of the lock for sets that were hashed, by their keys. */
  readonly facts: Map<string, LockedSet>;
  /**
   * Shows held-out sessions: a registered test is run on them.
   *
   * @default false
   */
  readonly isUnlimited?: boolean;
}

/** The time through which a verb shows data. */
export async function limitOf({ place, isUnlimited }: StudyContext): Promise<TimeLimit> {
  if (isUnlimited !== true) return await place.limit();
  const { asOf } = await place.pinned();
  return { asOf, through: asOf, heldOut: null };
}

/** Destination of a load. */
export interface Route {
  /** The connection. */
  readonly api: FactorApi;
  /** `true` for a replay. */
  readonly isReplay: boolean;
  /** The lock that decided. */
  readonly lock: StudyLock;
}

/**
 * Chooses the connection for a load: a replay if the lock has everything, otherwise the service.
 *
 * @param findMissing Finds the first entry that a lock lacks; `null` if it has all
 * @throws {ScoreframeError} If the study is frozen and something is missing
 */
export async function chooseRoute(
  { place }: StudyContext,
  findMissing: (lock: StudyLock) => MissingEntry | null | Promise<MissingEntry | null>,
): Promise<Route> {
  let lock = await place.pinned();
  let missing = await findMissing(lock);
  if (missing !== null) {
    // Another notebook may have loaded it.
    lock = await place.refresh();
    missing = await findMissing(lock);
  }
  if (missing === null) return { api: await place.replay(), isReplay: true, lock };
  if (place.mode === "frozen") throw frozenError(place.folder, missing);
  return { api: await place.live(), isReplay: false, lock };
}

/**
 * Runs a load over the chosen connection.
 *
 * @throws {StorageError} In a replay, if the store lacks an entry of the lock
 */
export async function loadBy<Result>(
  { place }: StudyContext,
  { api, isReplay, lock }: Route,
  load: (api: FactorApi) => Promise<Result>,
): Promise<Result> {
  try {
    return await load(api);
  } catch (error) {
    if (!isReplay || !(error instanceof TransportError)) throw error;
    throw await lackingStoreError(place, lock, error);
  }
}

// A replay sends nothing, so advice about addresses or networks would not help.
async function lackingStoreError(
  { folder, storeFolder }: StudyPlace,
  lock: StudyLock,
  cause: TransportError,
): Promise<StorageError> {
  const missing = await findMissingFiles(lock, storeFolder);
  const named = missing.slice(0, MOST_NAMED).join(", ");
  const more = missing.length - MOST_NAMED;
  const lacks = missing.length === 0
    ? "got one without the checks that prove them"
    : `got one without ${named}${more > 0 ? ` and ${more} more` : ""}`;
  return new StorageError(
    `Cannot replay the study ${folder}: expected everything in its lock to be in its store, ${lacks}; ` +
      `${commandLine()} study restore loads it again`,
    { cause },
  );
}

/** Result of a load, for the lock. */
export interface SettledLoad {
  /** Its views. */
  readonly views: readonly ViewedSet[];
  /**
   * Requested instants before the first publication.
   *
   * @default none
   */
  readonly absences?: readonly LockedAbsence[];
  /** `check` if the check belongs to the instant of a view, `set` if only the set does. */
  readonly every: "set" | "check";
}

/**
 * Adds the result of a load to the lock, or compares that of a replay with it.
 *
 * The whole result is added at once: a run that is killed in between would leave half a load in the lock.
 */
export async function settleViews(
  { place, facts }: StudyContext,
  route: Route,
  { views, absences = [], every }: SettledLoad,
): Promise<void> {
  const numbers = new LockedNumbers(facts);
  if (route.isReplay) return numbers.assertAsLocked(route.lock, views, every);
  await place.add({
    sets: views.map(({ set }) => numbers.factOf(set)),
    views: views.map((view) => viewFact(view, every)),
    absences,
    synthetic: views.some(({ set: { check } }) => check.extra.synthetic === true),
  });
}
