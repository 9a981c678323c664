import type { Instant } from "../../contract/instant.ts";
import type { LockedAbsence, StudyLock } from "../lock/lock.ts";
import { frozenError, lookAheadError, type MissingEntry } from "../replay/frozen_error.ts";
import { checkFact } from "../replay/set_facts.ts";
import type { FactorApi } from "../../client/factor_api.ts";
import type { StudyPlace } from "../study_place.ts";
import type { LockedNumbers, ViewedSet } from "./assert_as_locked.ts";

/** What the verbs of a study share. */
export interface StudyContext {
  /** Folder, lock and connections. */
  readonly place: StudyPlace;
  /** Compares the store with the lock. */
  readonly numbers: LockedNumbers;
}

/** Where a load goes to. */
export interface Route {
  /** The connection. */
  readonly api: FactorApi;
  /** Whether it replays what the lock has. */
  readonly isReplay: boolean;
  /** The lock that decided. */
  readonly lock: StudyLock;
}

/**
 * The connection that answers: a replay if the lock has everything, else the service.
 *
 * @param findMissing What a lock lacks; `null` if it has everything
 * @throws {ScoreframeError} If the study is frozen and something is missing
 */
export async function routeOf(
  { place }: StudyContext,
  findMissing: (lock: StudyLock) => MissingEntry | null | Promise<MissingEntry | null>,
): Promise<Route> {
  let lock = await place.pinned();
  let missing = await findMissing(lock);
  if (missing !== null) {
    // Another notebook may have brought it.
    lock = await place.refresh();
    missing = await findMissing(lock);
  }
  if (missing === null) return { api: await place.replay(), isReplay: true, lock };
  if (place.mode === "frozen") throw frozenError(place.folder, missing);
  return { api: await place.live(), isReplay: false, lock };
}

/** What a load came to. */
export interface SettledLoad {
  /** Its views. */
  readonly views: readonly ViewedSet[];
  /**
   * Instants before the first publication that it asked for.
   *
   * @default none
   */
  readonly absences?: readonly LockedAbsence[];
  /** Whether the check belongs to the instant of a view, or only the set. */
  readonly every: "set" | "check";
}

/**
 * Keeps what a load came to, or, of a replay, compares it with the lock.
 *
 * It comes into the lock at once: a run that is killed in between would leave half a load, whose rest is asked for again.
 */
export async function settleViews(
  { place, numbers }: StudyContext,
  route: Route,
  { views, absences = [], every }: SettledLoad,
): Promise<void> {
  if (route.isReplay) return numbers.assertAsLocked(route.lock, views, every);
  await place.add({
    sets: views.map(({ set }) => numbers.factOf(set)),
    views: views.map(({ at, set: { check } }) => ({
      factor: check.factor,
      at,
      snapshotId: check.snapshotId,
      check: every === "check" ? checkFact(check) : null,
    })),
    absences,
    synthetic: views.some(({ set: { check } }) => check.extra.synthetic === true),
  });
}

/**
 * Refuses an instant after the study's time.
 *
 * @throws {ScoreframeError} With both times
 */
export function assertNotAhead(action: string, at: Instant, asOf: Instant): void {
  if (at > asOf) throw lookAheadError({ action, what: "the view at", at }, asOf);
}
