import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Factor } from "../../contract/factor.ts";
import { putTextFile, removeIfThere } from "../../disk/files.ts";
import { hashFile } from "../../disk/hash_file.ts";
import { LAYOUT, RELEASE_FILE, RELEASE_METADATA } from "../layout.ts";
import { encodeStoredRelease, type StoredRelease } from "./release_file.ts";
import { readRelease, type ReleaseReceipt } from "./release_folder.ts";

/** Facts about a release whose file may exist without its metadata. */
export interface AnnouncedRelease
  extends Pick<ReleaseReceipt, "release" | "availableFrom" | "origin"> {
  /** Factor of the release. */
  readonly factor: Factor;
}

/**
 * Completes a release whose file has no metadata, because its writer was killed before writing them. A file with other content
 * is removed, because it would block the right one.
 *
 * @param store The store
 * @param announced Factor, and the metadata of the file
 * @returns The release, or `null` without such a file
 */
export async function adoptRelease(
  { path: folder }: { readonly path: string },
  { factor, ...announced }: AnnouncedRelease,
): Promise<StoredRelease | null> {
  const { downloadSha256 } = announced.release;
  const target = join(folder, LAYOUT.release(factor, downloadSha256));
  const path = join(target, RELEASE_FILE);
  const sizeBytes = await stat(path).then(({ size }) => size, () => null);
  if (sizeBytes === null) return null;
  if ((await hashFile(path)).sha256 !== downloadSha256) {
    await removeIfThere(path);
    return null;
  }
  const text = encodeStoredRelease({ ...announced, sizeBytes });
  await putTextFile(join(target, RELEASE_METADATA), text, { durable: true });
  return await readRelease(target, factor);
}
