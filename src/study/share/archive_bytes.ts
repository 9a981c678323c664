import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { StorageError } from "../../errors.ts";

/** The bytes of an archive, which are read where they are asked for. */
export interface ArchiveBytes {
  /** How many there are. */
  readonly sizeBytes: number;
  /** So many bytes from a place on; fewer where the archive ends before. */
  read(start: number, count: number): Promise<Buffer>;
}

/**
 * Opens the file of an archive.
 *
 * @throws {StorageError} If it cannot be read
 */
export async function openArchive(path: string): Promise<ArchiveBytes & AsyncDisposable> {
  try {
    const file = await open(path, "r");
    const { size } = await file.stat();
    return {
      sizeBytes: size,
      read: (start, count) => readBytes(file, start, Math.min(count, size - start)),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    throw new StorageError(
      `Cannot read ${path}: expected an exported study, got "${
        (error as Error).message
      }"; name the zip`,
      { cause: error },
    );
  }
}

async function readBytes(file: FileHandle, start: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, count));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}
