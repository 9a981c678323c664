import type { Check } from "../../base/contract/scores/check.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { IntegrityError } from "../../base/errors.ts";
import { encodeStoredCheck } from "../../base/store/scores/check_file.ts";
import type { Store } from "../../base/store/store.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { findRelease } from "../../client/release/stored_releases.ts";
import type { StudyPlace } from "../study_place.ts";

/**
 * Time at which a store first received a check: `retrieved_at` of its rows.
 *
 * @throws {IntegrityError} If the store does not have it
 */
export async function receivedAt(store: Store, check: Check): Promise<Instant> {
  const { name } = encodeStoredCheck({ check, retrievedAt: check.lastCheckedAt, origin: "" });
  const stored = await store.readCheck(check.factor, name);
  if (stored !== null) return stored.retrievedAt;
  throw new IntegrityError(
    `Cannot load the ${check.factor} scores: expected the check of ${check.lastCheckedAt} in the store, got none, because it ` +
      "was removed meanwhile; load it again",
  );
}

/**
 * A release in the store of a study.
 *
 * @throws {IntegrityError} If the store does not have it
 */
export async function storedRelease(
  place: StudyPlace,
  factor: Factor,
  downloadSha256: string,
): Promise<StoredRelease> {
  const stored = await findRelease(await place.openStore(), factor, downloadSha256);
  if (stored !== null) return stored;
  throw new IntegrityError(
    `Cannot load the ${factor} history: expected the release ${downloadSha256} in the store, got none, because it was removed ` +
      "meanwhile; load it again",
  );
}
