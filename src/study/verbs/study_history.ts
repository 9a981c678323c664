import { dirname } from "node:path";
import type { FactorApi } from "../../client/factor_api.ts";
import type { HistoryFrame, VerifiedRelease } from "../../client/release/history_loader.ts";
import { type HistoryOptions, readFactor } from "../../client/release/history_options.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import { MarketCalendar } from "../../base/calendar/market_calendar.ts";
import type { Factor } from "../../base/contract/factor.ts";
import { type CalendarDate, type Instant, instantOf } from "../../base/contract/instant.ts";
import { factLine, type LockedRelease, type StudyLock } from "../lock/lock.ts";
import { lookAheadError, type MissingEntry } from "../replay/refusals.ts";
import { releaseFact, releaseReceipt } from "../replay/release_facts.ts";
import { rowsBefore } from "../../frames/frame/provenance/held_out.ts";
import { notAsLocked } from "./assert_as_locked.ts";
import { loadStudy, storedRelease, type StudyContext } from "./study_context.ts";
import { IntegrityError } from "../../base/errors.ts";
import { releaseColumns } from "../../frames/frame/release/release_frame.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { hashReleaseNumbers } from "../numbers/hash_numbers.ts";

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
  await place.pinned();
  const route = isMoving
    ? { api: await place.live(), isReplay: false, lock: await place.refresh() }
    : undefined;
  return await loadStudy<HistoryFrame, VerifiedRelease>(context, {
    findMissing: (lock) => missingRelease(lock, factor, wanted),
    question: `history ${factor} ${wanted ?? "offered"}`,
    before: rowsBefore,
    load: (api: FactorApi, { isReplay, lock }) => {
      const { downloadSha256 = "" } = findLockedRelease(lock, factor, wanted) ?? {};
      const wishes = isReplay ? { ...options, downloadSha256, offline: true } : options;
      return api.history(factor, wishes as never).withResponse();
    },
    settle: async (loaded, { isReplay, lock }, store) => {
      const { release } = loaded.raw;
      assertClosed(factor, release.lastSession, lock.asOf);
      const stored = await storedRelease(store, factor, release.downloadSha256);
      if (isReplay) {
        const line = findLockedRelease(lock, factor, wanted)!;
        assertReceipt(line, lock, stored);
        return await assertNumbers(line, loaded);
      }
      const fact = await releaseFact(factor, stored, wanted === undefined);
      assertClosed(factor, fact.lastSession, lock.asOf);
      const synthetic = release.extra.synthetic === true;
      await place.add({ releases: [fact], synthetic, repin: isMoving });
    },
  }, route);
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

/**
 * Refuses rows of a release that differ from the lock. The returned rows are hashed, whichever file they come from, because the
 * checksum of the Parquet file beside the original could be forged.
 *
 * @throws {IntegrityError} With the line of the lock and the hash of the rows
 */
async function assertNumbers(line: LockedRelease, { data, raw }: History): Promise<void> {
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
  line: LockedRelease,
  lock: StudyLock,
  { release, availableFrom }: StoredRelease,
): void {
  const found = { ...line, receipt: line.receipt && releaseReceipt({ release, availableFrom }) };
  if (factLine(found) !== factLine(line)) throw notAsLocked(factLine(line), factLine(found));
  if (lock.synthetic === false && release.extra.synthetic === true) {
    throw notAsLocked('"synthetic": false', "a release of synthetic numbers");
  }
}
