import { mkdir, open, readdir, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import type { Release } from "../../contract/release.ts";
import { IntegrityError } from "../../errors.ts";
import {
  publishFile,
  type PutOptions,
  putTextFile,
  readTextFile,
  removeIfThere,
  removeLeftBehind,
  syncFile,
  temporaryPath,
} from "../../disk/files.ts";
import { correctionName, LAYOUT, RELEASE_FILE, RELEASE_METADATA, SET_ASIDE } from "../layout.ts";
import { encodeStoredRelease, parseStoredRelease, type StoredRelease } from "./release_file.ts";
import { hashFile } from "../../disk/hash_file.ts";

/** Result of a finished download. */
export interface ReleaseReceipt {
  /** Metadata that announced the file. */
  readonly release: Release;
  /** SHA-256 of the bytes in the temporary file, as computed by their writer. */
  readonly sha256: string;
  /** Number of bytes in the temporary file. */
  readonly sizeBytes: number;
  /** Time of receipt; in a world, the time from which it is served. */
  readonly availableFrom: Instant;
  /** Base address of the service, or the name of the world. */
  readonly origin: string;
}

/** Staging of a compressed file during its transfer: it becomes a complete release or disappears. */
export interface ReleaseStaging {
  /** Temporary file to write to. */
  readonly path: string;
  /** Begins to flush written bytes while more arrive, so that {@link commit} takes less time. */
  flush(): void;
  /**
   * Turns the temporary file into a release of the store.
   *
   * @throws {IntegrityError} If checksum or size differs; the file is discarded
   */
  commit(receipt: ReleaseReceipt): Promise<StoredRelease>;
  /** Removes the temporary file if it still exists. */
  discard(): Promise<void>;
}

/**
 * Opens a staging file in the folder of a factor's releases, and tests if the folder can be written.
 *
 * @throws {Error} The system's error if it cannot; a downloading caller adds the spent allowance
 */
export async function stageRelease(
  folder: string,
  factor: Factor,
  options: PutOptions,
): Promise<ReleaseStaging> {
  await mkdir(folder, { recursive: true });
  await removeLeftBehind(folder);
  const path = temporaryPath(folder);
  await (await open(path, "wx")).close();
  await removeIfThere(path);
  let flushing: Promise<void> | null = null;
  const flush = () => {
    if (!options.durable) return;
    // The disk reports a failure only once, so the report must be kept.
    flushing ??= syncFile(path).then(() => void (flushing = null));
    flushing.catch(() => undefined);
  };
  // The next staging removes what is left; nothing may take the place of the real error.
  const discard = () => removeIfThere(path).catch(() => undefined);
  const commit = async (receipt: ReleaseReceipt) => {
    try {
      await flushing;
      await assertWhole(path, receipt);
      return await publishRelease(folder, path, { factor, receipt, options });
    } finally {
      await discard();
    }
  };
  return { path, flush, commit, discard };
}

/**
 * All releases below a folder, ordered by `availableFrom`.
 *
 * @throws {IntegrityError} If the metadata of one was changed
 */
export async function readReleases(
  folder: string,
  factor: Factor,
  isSealed: boolean,
): Promise<readonly StoredRelease[]> {
  const releases: StoredRelease[] = [];
  for (const digest of await listReleaseFolders(folder)) {
    const stored = await readRelease(join(folder, digest), factor, isSealed);
    if (stored !== null) releases.push(stored);
  }
  return releases.sort((a, b) =>
    Number(a.availableFrom > b.availableFrom) - Number(a.availableFrom < b.availableFrom)
  );
}

/** Sorted names of the release folders below a folder; each is the checksum of its file. */
export async function listReleaseFolders(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => !name.startsWith(".") && !name.endsWith(SET_ASIDE)).sort();
}

/** Sorted names of the folders of releases that were set aside. */
export async function listSetAside(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith(SET_ASIDE)).sort();
}

/**
 * The release in a folder, or `null` if the folder has no metadata yet.
 *
 * @param isSealed Refuses metadata without a hash
 * @throws {IntegrityError} If its metadata was changed
 */
export async function readRelease(
  folder: string,
  factor: Factor,
  isSealed = false,
): Promise<StoredRelease | null> {
  const path = await metadataPath(folder);
  const text = await readTextFile(path);
  if (text === null) return null;
  try {
    return parseStoredRelease(text, factor, { path: join(folder, RELEASE_FILE), isSealed });
  } catch (error) {
    throw new IntegrityError(
      `Cannot use ${path}: expected the file as it was written, got a changed one ` +
        `(${(error as Error).message}); remove ${folder}, and load the release again, which ` +
        "spends a download",
      { cause: error },
    );
  }
}

/** Writes corrected metadata beside the original. The store uses it from then on. */
export async function correctRelease(
  stored: StoredRelease,
  correction: { readonly release: Release; readonly receivedAt: Instant },
): Promise<StoredRelease> {
  const { release, receivedAt } = correction;
  const corrected = { ...stored, release };
  const path = join(dirname(stored.path), correctionName(receivedAt));
  await putTextFile(path, encodeStoredRelease(corrected), { durable: true });
  // A server watches the time of the folder of all releases, which a file below it does not change.
  const now = new Date();
  await utimes(dirname(dirname(path)), now, now);
  return corrected;
}

// The last of several corrections counts.
async function metadataPath(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return join(
    folder,
    names.filter((name) => /^release--.*\.json$/.test(name)).toSorted().at(-1) ?? RELEASE_METADATA,
  );
}

async function assertWhole(path: string, receipt: ReleaseReceipt): Promise<void> {
  const { downloadSha256 } = receipt.release;
  const { size } = await stat(path);
  if (receipt.sha256 !== downloadSha256) {
    throw new IntegrityError(
      `Cannot keep the release: expected a file with the SHA-256 ${downloadSha256}, as download_sha256 ` +
        `says, got ${receipt.sha256}; load it again`,
    );
  }
  if (size !== receipt.sizeBytes) {
    throw new IntegrityError(
      `Cannot keep the release: expected a file of ${receipt.sizeBytes} bytes, got ${size}; load it again`,
    );
  }
}

// The metadata file comes last: a folder without it is not a release yet.
async function publishRelease(
  folder: string,
  temporary: string,
  context: { factor: Factor; receipt: ReleaseReceipt; options: PutOptions },
): Promise<StoredRelease> {
  const { factor, receipt, options } = context;
  const target = join(folder, receipt.release.downloadSha256);
  await mkdir(target, { recursive: true });
  if (options.durable) await syncFile(temporary);
  await publishFile(temporary, join(target, RELEASE_FILE), options);
  await putTextFile(join(target, RELEASE_METADATA), encodeStoredRelease(receipt), options);
  const text = await readTextFile(join(target, RELEASE_METADATA));
  return parseStoredRelease(text ?? "", factor, { path: join(target, RELEASE_FILE) });
}

/**
 * Completes a release whose file has no metadata, because its writer was killed before writing them. A file with other content
 * is removed, because it would block the right one.
 *
 * @param store The store
 * @param announced The metadata of the file, which may exist without them
 * @returns The release, or `null` without such a file
 */
export async function adoptRelease(
  { path: folder }: { readonly path: string },
  factor: Factor,
  announced: Pick<ReleaseReceipt, "release" | "availableFrom" | "origin">,
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
