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
  temporaryPath,
} from "../disk/files.ts";
import { removeLeftBehind } from "../disk/left_behind.ts";
import {
  correctionName,
  isCorrection,
  RELEASE_FILE,
  RELEASE_METADATA,
  SET_ASIDE,
} from "../layout.ts";
import { encodeStoredRelease, parseStoredRelease, type StoredRelease } from "./release_file.ts";

/** What a finished download turned out to be. */
export interface ReleaseReceipt {
  /** Metadata that announced the file. */
  readonly release: Release;
  /** SHA-256 of the bytes in the temporary file, as computed by their writer. */
  readonly sha256: string;
  /** Number of bytes in the temporary file. */
  readonly sizeBytes: number;
  /** When it was received, or from when on a world serves it. */
  readonly availableFrom: Instant;
  /** Base address of the service, or the name of the world. */
  readonly origin: string;
}

/** A place for a compressed file that is being received: it becomes a whole release, or nothing of it stays. */
export interface ReleaseStaging {
  /** Temporary file to write to. */
  readonly path: string;
  /** Begins to flush what was written so far, while more is on its way, so that {@link commit} has less to wait for. */
  flush(): void;
  /**
   * Makes the temporary file a release of the store.
   *
   * @throws {IntegrityError} If checksum or size differ; the file is discarded
   */
  commit(receipt: ReleaseReceipt): Promise<StoredRelease>;
  /** Removes the temporary file, if it is still there. */
  discard(): Promise<void>;
}

/**
 * Opens a staging place in the folder of a factor's releases, and tries that the folder takes files.
 *
 * @throws {Error} The system's own error if it takes none: a caller that downloads adds what was spent
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
    // The disk reports a failure once: what it reports must not be forgotten.
    flushing ??= syncFile(path).then(() => void (flushing = null));
    flushing.catch(() => undefined);
  };
  const discard = () => removeIfThere(path);
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
 * All releases below a folder, by the time since when they are available.
 *
 * @throws {IntegrityError} If the metadata of one are not what was kept
 */
export async function listReleases(
  folder: string,
  factor: Factor,
): Promise<readonly StoredRelease[]> {
  const releases: StoredRelease[] = [];
  for (const digest of await listReleaseFolders(folder)) {
    const stored = await readRelease(join(folder, digest), factor);
    if (stored !== null) releases.push(stored);
  }
  return releases.sort((a, b) =>
    Number(a.availableFrom > b.availableFrom) - Number(a.availableFrom < b.availableFrom)
  );
}

/** The names of the folders of releases below a folder, each the checksum of its file, in order. */
export async function listReleaseFolders(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => !name.startsWith(".") && !name.endsWith(SET_ASIDE)).sort();
}

/** The names of the folders of releases that were set aside, in order. */
export async function listSetAside(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return names.filter((name) => name.endsWith(SET_ASIDE)).sort();
}

/**
 * The release in a folder, or `null` if the folder is none yet.
 *
 * @throws {IntegrityError} If its metadata are not what was kept
 */
export async function readRelease(folder: string, factor: Factor): Promise<StoredRelease | null> {
  const path = await metadataPath(folder);
  const text = await readTextFile(path);
  if (text === null) return null;
  try {
    return parseStoredRelease(text, factor, join(folder, RELEASE_FILE));
  } catch (error) {
    throw new IntegrityError(
      `Cannot use ${path}: expected the file as it was kept, got a changed one ` +
        `(${
          (error as Error).message
        }); remove ${folder}, and load the release again, which spends ` +
        "a download",
      { cause: error },
    );
  }
}

/**
 * Keeps metadata that the service corrected beside those that the release came with: from now on they are what the
 * store says of it.
 */
export async function correctRelease(
  stored: StoredRelease,
  correction: { readonly release: Release; readonly receivedAt: Instant },
): Promise<StoredRelease> {
  const { release, receivedAt } = correction;
  const corrected = { ...stored, release };
  const path = join(dirname(stored.path), correctionName(receivedAt));
  await putTextFile(path, encodeStoredRelease(corrected), { durable: true });
  // A server looks at the time of the folder of all releases, which a file below does not change.
  const now = new Date();
  await utimes(dirname(dirname(path)), now, now);
  return corrected;
}

// Of several corrections the last one counts.
async function metadataPath(folder: string): Promise<string> {
  const names = await readdir(folder).catch(() => [] as string[]);
  return join(folder, names.filter(isCorrection).toSorted().at(-1) ?? RELEASE_METADATA);
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
  return parseStoredRelease(text ?? "", factor, join(target, RELEASE_FILE));
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
