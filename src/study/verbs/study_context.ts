import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { LockedAbsence, LockedSet, StudyLock } from "../lock/lock.ts";
import { frozenError, type MissingEntry } from "../replay/refusals.ts";
import type { FactorApi } from "../../client/factor_api.ts";
import { findRelease } from "../../client/release/stored_releases.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import type { Check } from "../../base/contract/scores/check.ts";
import { IntegrityError, StorageError, TransportError } from "../../base/errors.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { encodeStoredCheck } from "../../base/store/scores/check_file.ts";
import type { Store } from "../../base/store/store.ts";
import { markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import type { TimeLimit } from "../hold_out/time_limit.ts";
import { findMissingFiles } from "../find_missing_files.ts";
import type { StudyPlace } from "../study_place.ts";
import { assertAsLocked, factOf, type ViewedSet, viewFact } from "./assert_as_locked.ts";

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

/** The first entry that a lock lacks for a load; `null` if it has all. */
export type FindMissing = (lock: StudyLock) => MissingEntry | null | Promise<MissingEntry | null>;

/** A load of the ordinary client, at the study's time. */
export interface StudyLoad<Frame, Raw> {
  /** Finds what the lock lacks. */
  readonly findMissing: FindMissing;
  /** Loads over the chosen connection. */
  readonly load: (api: FactorApi, route: Route) => Promise<Loaded<Frame, Raw>>;
  /** Adds the result to the lock, or compares that of a replay with it. */
  readonly settle: (loaded: Loaded<Frame, Raw>, route: Route, store: Store) => Promise<void>;
  /**
   * Its identity, for a load that waits for another process which loads the same; the lock has it afterwards.
   *
   * @default it does not wait
   */
  readonly question?: string;
  /**
   * Rows before a hold-out.
   *
   * @default all: none of them can be held out
   */
  readonly before?: (frame: Frame, from: string) => Frame;
}

/**
 * Runs a load: as a replay if the lock has everything, otherwise at the service.
 *
 * @throws {ScoreframeError} If the study is frozen and something is missing
 * @throws {StorageError} In a replay, if the store lacks an entry of the lock
 */
export async function loadStudy<Frame extends DataFrame | LazyDataFrame, Raw>(
  context: StudyContext,
  load: StudyLoad<Frame, Raw>,
  given?: Route,
): Promise<Loaded<Frame, Raw>> {
  const { place } = context;
  const run = async (route: Route) => {
    const loaded = await load.load(route.api, route).catch(async (error) => {
      if (!route.isReplay || !(error instanceof TransportError)) throw error;
      throw await lackingStoreError(place, route.lock, error);
    });
    await load.settle(loaded, route, await place.openStore());
    const { heldOut } = await limitOf(context);
    const { data } = loaded;
    const isCut = heldOut !== null && !heldOut.isOpen && load.before !== undefined;
    return {
      ...loaded,
      data: markHeldOut(isCut ? load.before!(data, heldOut.from) : data, heldOut),
    };
  };
  const route = given ?? await chooseRoute(place, load.findMissing);
  if (route.isReplay || given !== undefined || load.question === undefined) return await run(route);
  const again = async () => await run(await chooseRoute(place, load.findMissing));
  return await place.inFlight(load.question, again);
}

async function chooseRoute(place: StudyPlace, findMissing: FindMissing): Promise<Route> {
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
 * Adds the views of a load to the lock, or compares those of a replay with it.
 *
 * The whole result is added at once: a run that is killed in between would leave half a load in the lock.
 */
export async function settleViews(
  { place, facts }: StudyContext,
  route: Route,
  { views, absences = [], every }: SettledLoad,
): Promise<void> {
  if (route.isReplay) return assertAsLocked(facts, route.lock, views, every);
  await place.add({
    sets: views.map(({ set }) => factOf(facts, set)),
    views: views.map(({ at, set, retrievedAt }) => viewFact(at, set.check, retrievedAt, every)),
    absences,
    synthetic: views.some(({ set: { check } }) => check.extra.synthetic === true),
  });
}

/**
 * Time at which a store first received a check: `retrieved_at` of its rows.
 *
 * @throws {IntegrityError} If the store does not have it
 */
export async function receivedAt(store: Store, check: Check): Promise<Instant> {
  const { name } = encodeStoredCheck({ check, retrievedAt: check.lastCheckedAt, origin: "" });
  const stored = await store.readCheck(check.factor, name);
  if (stored !== null) return stored.retrievedAt;
  throw removedMeanwhile(`${check.factor} scores`, `the check of ${check.lastCheckedAt}`);
}

/**
 * A release in the store of a study.
 *
 * @throws {IntegrityError} If the store does not have it
 */
export async function storedRelease(
  store: Store,
  factor: Factor,
  downloadSha256: string,
): Promise<StoredRelease> {
  const stored = await findRelease(store, factor, downloadSha256);
  if (stored !== null) return stored;
  throw removedMeanwhile(`${factor} history`, `the release ${downloadSha256}`);
}

/** The error of a load whose data somebody removed from the store before it ended. */
export function removedMeanwhile(load: string, what: string): IntegrityError {
  return new IntegrityError(
    `Cannot load the ${load}: expected ${what} in the store, got none, because it was removed meanwhile; load it again`,
  );
}
