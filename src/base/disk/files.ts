import { readFileSync, writeSync } from "node:fs";
import {
  access,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { KEY_LIKE } from "../contract/key.ts";
import { IntegrityError, StorageError } from "../errors.ts";

/** Name prefix of unfinished files; a crash may leave some behind. */
export const TEMPORARY_PREFIX = ".tmp-";

/** Options of writing a file. */
export interface PutOptions {
  /** Flushes file and folder to the disk before the call returns. */
  readonly durable: boolean;
}

// Errors of file systems without hard links: FAT, exFAT and some network shares.
const WITHOUT_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

// A transfer takes two minutes at most (section 8), and no other temporary file takes longer.
const LEFT_BEHIND_MS = 60 * 60 * 1000;

/** A new temporary path in a folder. */
export function temporaryPath(folder: string): string {
  return join(folder, `${TEMPORARY_PREFIX}${crypto.randomUUID()}`);
}

/**
 * Writes a new text file, which appears under its name complete or not at all.
 *
 * @returns `true` if the file was written; `false` if the name exists, whose content is not changed
 * @throws {IntegrityError} If the text holds something that looks like an API key
 * @throws {StorageError} If the disk is full
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
 * Writes a new file, as {@link putTextFile} does.
 *
 * @param contentOf Makes the bytes; called only if the name is free
 * @throws {StorageError} If the disk is full
 */
export async function putFile(
  path: string,
  contentOf: () => Uint8Array,
  options: PutOptions,
): Promise<boolean> {
  // Most files that arrive are known: looking first saves writing and flushing a file for nothing.
  if (await exists(path)) return false;
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  const temporary = temporaryPath(folder);
  try {
    await writeAll(temporary, contentOf(), options);
    return await publishFile(temporary, path, options);
  } finally {
    await removeIfThere(temporary).catch(() => undefined);
  }
}

/**
 * Refuses a text that contains something like an API key.
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
 * Gives a finished temporary file its name, unless that exists.
 *
 * Uses a hard link, because renaming would silently replace a file of another process. Without hard links, a file can be
 * replaced only if two processes write the same name at the same moment.
 *
 * @returns `true` if the name was free
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

/** Kind of what is at a path; `null` if there is nothing. Links are not followed. */
export function kindOf(path: string): "a file" | "a link" | "a folder" | "a device" | null {
  try {
    // Node's takes seven times as long, about as long as reading a small file.
    const found = Deno.lstatSync(path);
    if (found.isFile) return "a file";
    return found.isSymlink ? "a link" : found.isDirectory ? "a folder" : "a device";
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/**
 * Refuses what is no regular file: a link leads out of its folder, and a pipe is never read to its end. A missing file passes.
 *
 * @throws {StorageError} With what is in its place
 */
export function assertRegular(path: string): void {
  const found = kindOf(path);
  if (found === null || found === "a file") return;
  throw new StorageError(
    `Cannot read ${path}: expected a regular file, got ${found}; put the file itself in its place`,
  );
}

/**
 * Content of a text file, or `null` if it does not exist.
 *
 * @throws {StorageError} If it is no regular file
 */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    assertRegular(path);
    return await readFile(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/**
 * Content of a small file, or `null` if it does not exist.
 *
 * Reads synchronously: handing a few kilobytes to a thread takes longer than reading them, and waits for a core on a busy
 * machine. Loops over many files should yield to other work.
 *
 * @throws {StorageError} If it is no regular file
 */
export function readSmallFile(path: string): Uint8Array | null {
  try {
    assertRegular(path);
    return readFileSync(path);
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/** Removes a file if it exists. */
export async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  }
}

/** Flushes a folder's entries to the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === "win32") return;
  await syncFile(folder);
}

/** Flushes a file's content to the disk. */
export async function syncFile(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/** Tests if an error is a system error with this code. */
export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as Error & { code?: unknown }).code === code;
}

/** Tests if there is something at a path, be it a link to nowhere. */
export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function writeAll(path: string, bytes: Uint8Array, options: PutOptions): Promise<void> {
  await using handle = await open(path, "wx");
  await writeFully(handle, { path, bytes });
  const { size } = await handle.stat();
  if (size !== bytes.length) {
    throw new StorageError(
      `Cannot write ${path}: expected ${bytes.length} bytes on the disk, got ${size}; make room, ` +
        "or use another folder",
    );
  }
  if (options.durable) await handle.sync();
}

/** True if a path leads to something. */
export function isThere(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}

/** True if a path leads to a file. */
export function isFile(path: string): Promise<boolean> {
  return stat(path).then((found) => found.isFile(), () => false);
}

/** Bytes, and the path of the file that takes them. */
interface Written {
  /** Path of the file, for an error. */
  readonly path: string;
  /** The bytes. */
  readonly bytes: Uint8Array;
}

/**
 * Appends all bytes to an open file: a full disk can shorten a single write without an error.
 *
 * @throws {StorageError} If the disk is full
 */
export async function writeFully(file: FileHandle, { path, bytes }: Written): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at);
    if (bytesWritten === 0) throw fullDisk(path, bytes.length, at);
    at += bytesWritten;
  }
}

/**
 * Synchronous {@link writeFully}, for many small pieces.
 *
 * @throws {StorageError} If the disk is full
 */
export function writeFullySync(descriptor: number, { path, bytes }: Written): void {
  for (let at = 0; at < bytes.length;) {
    const written = writeSync(descriptor, bytes, at, bytes.length - at);
    if (written === 0) throw fullDisk(path, bytes.length, at);
    at += written;
  }
}

function fullDisk(path: string, expected: number, written: number): StorageError {
  return new StorageError(
    `Cannot write ${path}: expected room for ${expected} bytes on the disk, got one that is full ` +
      `after ${written}; make room, or use another folder`,
  );
}

/**
 * Removes abandoned temporary files of a folder: notebook kernels are killed without warning, and releases are large.
 *
 * @param afterMs Time since the last byte was written
 */
export async function removeLeftBehind(folder: string, afterMs = LEFT_BEHIND_MS): Promise<void> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names.filter((name) => name.startsWith(TEMPORARY_PREFIX))) {
    const path = join(folder, name);
    const status = await stat(path).catch(() => null);
    if (status === null || Date.now() - status.mtimeMs < afterMs) continue;
    // The file may belong to another user, or be gone.
    await removeIfThere(path).catch(() => undefined);
  }
}
