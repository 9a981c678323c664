import { dirname } from "node:path";
import type { HistoryFrame, VerifiedRelease } from "../../client/release/history_loader.ts";
import { type HistoryOptions, readFactor } from "../../client/release/history_options.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { type CalendarDate, type Instant, instantOf } from "../../base/contract/instant.ts";
import { factLine, type LockedRelease, type StudyLock } from "../lock/lock.ts";
import { lookAheadError, type MissingEntry } from "../replay/refusals.ts";
import { releaseFact, releaseReceipt } from "../replay/release_facts.ts";
import { storedRelease } from "./stored_answer.ts";
import { markHeldOut, rowsBefore } from "../../frames/frame/provenance/held_out.ts";
import { chooseRoute, limitOf, loadBy, type Route, type StudyContext } from "./study_context.ts";
import { IntegrityError } from "../../base/errors.ts";
import { releaseColumns } from "../../frames/frame/release/release_frame.ts";
import { commandLine } from "../../base/runtime/command_line.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { hashReleaseNumbers } from "../numbers/hash_numbers.ts";
import type { FactorApi } from "../../client/factor_api.ts";

type History = Loaded<HistoryFrame, VerifiedRelease>;

/** Loads the release that the study is pinned to, or the one in the lock with the given checksum. */
export async function loadStudyHistory(
  context: StudyContext,
  given: string,
  options: HistoryOptions,
  isAnew: boolean,
): Promise<History> {
  const factor = readFactor(given, "load the history");
  const { place } = context;
  const wanted = options.downloadSha256?.toLowerCase();
  // The mode `update` asks the service for the release on offer.
  const isMoving = isAnew && wanted === undefined;
  const findMissing = (lock: StudyLock) => missingRelease(lock, factor, wanted);
  await place.pinned();
  const route = isMoving
    ? { api: await place.live(), isReplay: false, lock: await place.refresh() }
    : await chooseRoute(context, findMissing);
  const asked = { factor, options, wanted, isMoving };
  const load = async (by: Route) =>
    await withoutHeldOut(context, await loadRouted(context, by, asked));
  if (route.isReplay || isMoving) return await load(route);
  // Waits for another process that loads the same release; the lock has it afterwards.
  const question = `history ${factor} ${wanted ?? "offered"}`;
  const again = async () => await load(await chooseRoute(context, findMissing));
  return await place.inFlight(question, again);
}

async function withoutHeldOut(context: StudyContext, loaded: History): Promise<History> {
  const { heldOut } = await limitOf(context);
  const { data } = loaded;
  const seen = heldOut === null || heldOut.isOpen ? data : rowsBefore(data, heldOut.from);
  return { ...loaded, data: markHeldOut(seen, heldOut) };
}

interface Asked {
  readonly factor: Factor;
  readonly options: HistoryOptions;
  /** Checksum of the release; `undefined` for the default. */
  readonly wanted: string | undefined;
  readonly isMoving: boolean;
}

async function loadRouted(
  context: StudyContext,
  route: Route,
  { factor, options, wanted, isMoving }: Asked,
): Promise<History> {
  const { place } = context;
  const pinned = findLockedRelease(route.lock, factor, wanted);
  const replayed = { ...options, downloadSha256: pinned?.downloadSha256 ?? "", offline: true };
  const wishes = route.isReplay ? replayed : options;
  const load = (api: FactorApi) => api.history(factor, wishes as never).withResponse();
  const loaded = await loadBy(context, route, load);
  assertClosed(factor, loaded.raw.release.lastSession, route.lock.asOf);
  const stored = await storedRelease(place, factor, loaded.raw.release.downloadSha256);
  if (route.isReplay) {
    await assertReleaseAsLocked({ line: pinned!, lock: route.lock, stored }, loaded);
    return loaded;
  }
  const fact = await releaseFact(factor, stored, wanted === undefined);
  assertClosed(factor, fact.lastSession, route.lock.asOf);
  const synthetic = loaded.raw.release.extra.synthetic === true;
  await place.add({ releases: [fact], synthetic, repin: isMoving });
  return loaded;
}

/** Finds a release in a lock by its checksum; without one, the default. */
export function findLockedRelease(
  lock: StudyLock,
  factor: Factor,
  wanted: string | undefined,
): LockedRelease | undefined {
  return lock.releases.find((release) =>
    release.factor === factor &&
    (wanted === undefined ? release.isDefault : release.downloadSha256 === wanted)
  );
}

/** The missing entry of a release that a lock lacks; `null` if it has it. */
export function missingRelease(
  lock: StudyLock,
  factor: Factor,
  wanted: string | undefined,
): MissingEntry | null {
  if (findLockedRelease(lock, factor, wanted) !== undefined) return null;
  const other = lock.releases.find((release) => release.factor === factor);
  return {
    action: `load the ${factor} history`,
    entry: wanted === undefined ? `a ${factor} release` : `the ${factor} release ${wanted}`,
    nearest: other === undefined ? null : `the release ${other.downloadSha256}`,
  };
}

// A release with a session that closes later looks ahead of the study's time.
function assertClosed(factor: Factor, last: CalendarDate | null, asOf: Instant): void {
  const at = lastClose(last);
  if (at === null || at <= asOf) return;
  const action = `load the ${factor} history`;
  throw lookAheadError({ action, what: "a release with the session that closes at", at }, asOf);
}

/** Close of the last session of a release; `null` without sessions. */
export function lastClose(last: CalendarDate | null): Instant | null {
  if (last === null) return null;
  const session = new MarketCalendar().between(last, last)[0];
  return session === undefined ? `${last}T23:59:59.999Z` : instantOf(session.closeMs);
}

/** A release of a store beside its line in a lock. */
interface LockedReleaseLine {
  /** The line of the lock. */
  readonly line: LockedRelease;
  /** The lock. */
  readonly lock: StudyLock;
  /** The release in the store. */
  readonly stored: StoredRelease;
}

/**
 * Refuses rows of a release that differ from the lock. The returned rows are hashed, whichever file they come from, because the
 * checksum of the Parquet file beside the original could be forged.
 *
 * @throws {IntegrityError} With the line of the lock and the hash of the rows
 */
async function assertReleaseAsLocked(
  locked: LockedReleaseLine,
  { data, raw }: Loaded<HistoryFrame, VerifiedRelease>,
): Promise<void> {
  assertReceipt(locked);
  const { line } = locked;
  const { factor } = line;
  const numbers = hashReleaseNumbers(factor, await releaseColumns(data, factor));
  if (numbers === line.numbers) return;
  throw new IntegrityError(
    `Cannot replay the study: expected ${factLine(line)} as its lock says, got rows with the ` +
      `numbers ${numbers} from its store; remove history.parquet from ${dirname(raw.path)}; ` +
      "it will be rebuilt from the original",
  );
}

// Metadata are part of each row; lines of format 1 have no hash of them.
function assertReceipt(
  { line, lock, stored: { release, availableFrom } }: LockedReleaseLine,
): void {
  const { receipt } = line;
  const found = releaseReceipt({ release, availableFrom });
  const isSame = receipt === null ||
    (receipt.said === found.said && receipt.retrievedAt === found.retrievedAt);
  const isHidden = lock.synthetic === false && release.extra.synthetic === true;
  if (isSame && !isHidden) return;
  const required = isSame ? '"synthetic": false' : factLine(line);
  const other = isSame ? "a release of synthetic numbers" : factLine({ ...line, receipt: found });
  throw new IntegrityError(
    `Cannot replay the study: expected ${required} as its lock says, got ${other} from its store; ` +
      `${commandLine()} study verify lists every such line, and study restore loads the locked data again`,
  );
}
