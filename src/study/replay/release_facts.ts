import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { readReleaseFile } from "../../client/release/verify_release.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import { KeptRows } from "../../frames/frame/release_file/kept_rows.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { LockedReceipt, LockedRelease } from "../lock/lock.ts";
import { hashRelease, hashReleaseNumbers } from "../numbers/hash_numbers.ts";

/** Line of the lock for a release; reads the whole file. */
export async function releaseFact(
  factor: Factor,
  stored: Pick<StoredRelease, "release" | "path" | "availableFrom">,
  isDefault: boolean,
): Promise<LockedRelease> {
  const { release, path } = stored;
  const kept = new KeptRows();
  const announced = { factor, release, sizeBytes: null };
  const { parser } = await readReleaseFile({ path }, announced, { taker: kept });
  const { names, rows, missingRows, sessions } = parser.columns;
  return {
    factor,
    downloadSha256: release.downloadSha256,
    isDefault,
    rows,
    scored: rows - missingRows,
    sessions: sessions.length,
    firstSession: dateOf(sessions[0]),
    lastSession: dateOf(sessions.at(-1)),
    factorVersion: release.factorVersion,
    universe: release.universe,
    availability: release.availability,
    numbers: hashReleaseNumbers(factor, { ...kept.keys(), scores: kept.scores, tickers: names }),
    receipt: releaseReceipt(stored),
  };
}

/** Receipt of the metadata of a release in a lock. */
export function releaseReceipt(
  { release, availableFrom }: Pick<StoredRelease, "release" | "availableFrom">,
): LockedReceipt {
  return { said: hashRelease(release), retrievedAt: availableFrom };
}

function dateOf(epochDay: number | undefined): CalendarDate | null {
  return epochDay === undefined ? null : fromEpochDay(epochDay);
}
