import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Factor } from "../../contract/factor.ts";
import { putTextFile, removeIfThere } from "../disk/files.ts";
import { sha256OfFile } from "./derived_release.ts";
import { LAYOUT, RELEASE_FILE, RELEASE_METADATA } from "../layout.ts";
import { encodeStoredRelease, type StoredRelease } from "./release_file.ts";
import { readRelease, type ReleaseReceipt } from "./release_folder.ts";
import type { Store } from "../store.ts";

/** What is known of a release whose file may be there without its metadata. */
export interface AnnouncedRelease
  extends Pick<ReleaseReceipt, "release" | "availableFrom" | "origin"> {
  /** Factor of the release. */
  readonly factor: Factor;
}

/**
 * Completes a release whose file is in its place without metadata, because its writer was ended between the two. A file
 * with other content is removed, because it is in the way of the right one.
 *
 * @param store The store
 * @param announced Factor, and what is kept beside the file
 * @returns The release, or `null` if there is no such file
 */
export async function adoptRelease(
  { path: folder }: Pick<Store, "path">,
  { factor, ...announced }: AnnouncedRelease,
): Promise<StoredRelease | null> {
  const { downloadSha256 } = announced.release;
  const target = join(folder, LAYOUT.release(factor, downloadSha256));
  const path = join(target, RELEASE_FILE);
  const sizeBytes = await stat(path).then(({ size }) => size, () => null);
  if (sizeBytes === null) return null;
  if (await sha256OfFile(path) !== downloadSha256) {
    await removeIfThere(path);
    return null;
  }
  const text = encodeStoredRelease({ ...announced, sizeBytes });
  await putTextFile(join(target, RELEASE_METADATA), text, { durable: true });
  return await readRelease(target, factor);
}
