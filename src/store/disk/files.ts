import { readFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { link, mkdir, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { KEY_LIKE } from "../../contract/key.ts";
import { IntegrityError, StorageError } from "../../errors.ts";

/** Name prefix of files that are being written; a crash may leave some behind. */
export const TEMPORARY_PREFIX = ".tmp-";

/** How a file is put in place. */
export interface PutOptions {
  /** Whether file and folder are flushed to the disk before the call returns. */
  readonly durable: boolean;
}

// What file systems without hard links answer: FAT and exFAT, and shares of some servers.
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/** A new temporary path in the folder of a file, on the same file system. */
export function temporaryPath(folder: string): string {
  return join(folder, `${TEMPORARY_PREFIX}${crypto.randomUUID()}`);
}

/**
 * Writes a text file that did not exist: complete under its name, or not at all.
 *
 * @returns Whether the file was written; `false` if the name exists already, whose content is left alone
 * @throws {IntegrityError} If the text holds something that looks like an API key
 * @throws {StorageError} If the disk took less than it was given
 */
export async function putTextFile(
  path: string,
  content: string,
  options: PutOptions,
): Promise<boolean> {
  assertNoKey(path, content);
  return await putFile(path, () => new TextEncoder().encode(content), options);
}

/**
 * Writes a file that did not exist, as {@link putTextFile} does.
 *
 * @param contentOf Gives the bytes; only asked where the name is free
 * @throws {StorageError} If the disk took less than it was given
 */
export async function putFile(
  path: string,
  contentOf: () => Uint8Array,
  options: PutOptions,
): Promise<boolean> {
  // Most of what arrives is known: looking first saves writing and flushing a file that is then thrown away.
  if (await exists(path)) return false;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = temporaryPath(folder);
  try {
    await writeAll(temporary, contentOf(), options);
    return await publishFile(temporary, path, options);
  } finally {
    await removeIfThere(temporary);
  }
}

/**
 * Refuses a text that holds something that looks like an API key.
 *
 * @throws {IntegrityError} If it does
 */
export function assertNoKey(path: string, content: string): void {
  if (!KEY_LIKE.test(content)) return;
  throw new IntegrityError(
    `Cannot write ${path}: expected a text without an API key, got one that holds a key; ` +
      "look for what sends it",
  );
}

/**
 * Gives a finished temporary file its name, unless the name exists.
 *
 * A hard link is used, because renaming would silently replace what another process wrote. Where there are none, only
 * a process that writes the same name in the same moment can be replaced.
 *
 * @returns Whether the name was free
 */
export async function publishFile(
  temporary: string,
  path: string,
  options: PutOptions,
): Promise<boolean> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    if (!WITHOUT_LINKS.some((code) => isCode(error, code))) throw error;
    if (await exists(path)) return false;
    await rename(temporary, path);
  }
  if (options.durable) await syncFolder(dirname(path));
  return true;
}

/** The content of a text file, or `null` if there is none. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/**
 * The content of a small file, or `null` if there is none.
 *
 * At once: handing a file of some kilobytes to a thread takes longer than reading it, and on a busy machine waits for a
 * core each time. A loop over many files gives other work its turn.
 */
export function readSmallFile(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/** Removes a file if it is there. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

/** Flushes a folder's entries to the disk. */
async function syncFolder(folder: string): Promise<void> {
  // Windows does not open folders.
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether an error is a system error with this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as Error & { code?: unknown }).code === code;
}

/** Whether a file is there. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function writeAll(path: string, bytes: Uint8Array, options: PutOptions): Promise<void> {
  const handle = await open(path, "wx");
  try {
    await writeFully(handle, { path, bytes });
    const { size } = await handle.stat();
    if (size !== bytes.length) {
      throw new StorageError(
        `Cannot write ${path}: expected ${bytes.length} bytes on the disk, got ${size}; make room, ` +
          "or use another folder",
      );
    }
    if (options.durable) await handle.sync();
  } finally {
    await handle.close();
  }
}

// A full disk can shorten a write without an error.
async function writeFully(
  handle: FileHandle,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, offset, bytes.length - offset);
    if (bytesWritten === 0) {
      throw new StorageError(
        `Cannot write ${path}: expected a disk that takes ${bytes.length} bytes, got one that is full ` +
          `after ${offset}; make room, or use another folder`,
      );
    }
    offset += bytesWritten;
  }
}
