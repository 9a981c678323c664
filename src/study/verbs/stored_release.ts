import type { Factor } from "../../base/contract/factor.ts";
import { IntegrityError } from "../../base/errors.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import type { StudyPlace } from "../study_place.ts";

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
  const releases = await (await place.openStore()).listReleases(factor);
  const stored = releases.find(({ release }) => release.downloadSha256 === downloadSha256);
  if (stored !== undefined) return stored;
  throw new IntegrityError(
    `Cannot load the ${factor} history: expected the release ${downloadSha256} in the store, got none, because it was removed ` +
      "meanwhile; load it again",
  );
}
