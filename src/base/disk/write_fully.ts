import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { StorageError } from "../errors.ts";

/** Bytes, and the path of the file that takes them. */
export interface Written {
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
