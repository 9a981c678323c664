import type { HistoryFrame, VerifiedRelease } from "../../client/release/history_loader.ts";
import { type HistoryOptions, readFactor } from "../../client/release/history_options.ts";
import type { Loaded } from "../../client/verb/load_promise.ts";
import { MarketCalendar } from "../../calendar/market_calendar.ts";
import type { Factor } from "../../contract/factor.ts";
import { type CalendarDate, type Instant, instantOf } from "../../contract/instant.ts";
import type { LockedRelease, StudyLock } from "../lock/lock.ts";
import { lookAheadError, type MissingEntry } from "../replay/frozen_error.ts";
import { releaseFact } from "../replay/release_facts.ts";
import { routeOf, type StudyContext } from "./study_context.ts";

type History = Loaded<HistoryFrame, VerifiedRelease>;

/** Loads the release that the study is pinned to, or the one with a checksum that it has. */
export async function loadStudyHistory(
  context: StudyContext,
  given: string,
  options: HistoryOptions,
  isAnew: boolean,
): Promise<History> {
  const factor = readFactor(given, "load the history");
  const { place } = context;
  const wanted = options.downloadSha256?.toLowerCase();
  // A study that moves asks the service which release it offers now.
  const isMoving = isAnew && wanted === undefined;
  await place.pinned();
  const route = isMoving
    ? { api: await place.live(), isReplay: false, lock: await place.refresh() }
    : await routeOf(context, (lock) => missingRelease(lock, factor, wanted));
  const pinned = findRelease(route.lock, factor, wanted);
  const replayed = { ...options, downloadSha256: pinned?.downloadSha256 ?? "", offline: true };
  const loaded = route.isReplay
    ? await route.api.history(factor, replayed as never).withResponse()
    : await route.api.history(factor, options as never).withResponse();
  assertClosed(factor, loaded.raw.release.lastSession, route.lock.asOf);
  if (route.isReplay) return loaded;
  const fact = await releaseFact(factor, loaded.raw, wanted === undefined);
  assertClosed(factor, fact.lastSession, route.lock.asOf);
  const synthetic = loaded.raw.release.extra.synthetic === true;
  await place.add({ releases: [fact], synthetic, repin: isMoving });
  return loaded;
}

/** The release of a lock that is asked for: with a checksum that one, else the default. */
export function findRelease(
  lock: StudyLock,
  factor: Factor,
  wanted: string | undefined,
): LockedRelease | undefined {
  const ofFactor = lock.releases.filter((release) => release.factor === factor);
  return ofFactor.find((release) =>
    wanted === undefined ? release.isDefault : release.downloadSha256 === wanted
  );
}

/** What a lock lacks of a release; `null` if it has it. */
export function missingRelease(
  lock: StudyLock,
  factor: Factor,
  wanted: string | undefined,
): MissingEntry | null {
  if (findRelease(lock, factor, wanted) !== undefined) return null;
  const other = lock.releases.find((release) => release.factor === factor);
  return {
    action: `load the ${factor} history`,
    entry: wanted === undefined ? `a ${factor} release` : `the ${factor} release ${wanted}`,
    nearest: other === undefined ? null : `the release ${other.downloadSha256}`,
  };
}

// A release that has a session which had not closed by then knows more than the study's time.
function assertClosed(factor: Factor, last: CalendarDate | null, asOf: Instant): void {
  const at = lastClose(last);
  if (at === null || at <= asOf) return;
  const action = `load the ${factor} history`;
  throw lookAheadError({ action, what: "a release with the session that closes at", at }, asOf);
}

/** When the last session of a release closes; `null` if it has none. */
export function lastClose(last: CalendarDate | null): Instant | null {
  if (last === null) return null;
  const session = new MarketCalendar().between(last, last)[0];
  return session === undefined ? `${last}T23:59:59.999Z` : instantOf(session.closeMs);
}
