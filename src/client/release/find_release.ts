import type { Factor } from "../../contract/factor.ts";
import type { StoredRelease } from "../../store/release/release_file.ts";
import type { Store } from "../../store/store.ts";

/** The release of a checksum in a store, or `null`. */
export async function findRelease(
  store: Store,
  factor: Factor,
  downloadSha256: string,
): Promise<StoredRelease | null> {
  const releases = await store.listReleases(factor);
  return releases.find(({ release }) => release.downloadSha256 === downloadSha256) ?? null;
}
