import { type FileHandle, open } from "node:fs/promises";
import { StorageError } from "../errors.ts";

// A write costs about a tenth of a millisecond however small it is, and a network brings 64 KiB at a time; what is not
// full yet waits, which larger pieces would prolong.
const PIECE_SIZE = 1 << 18;

/**
 * Passes bytes on after they are in a new file, in pieces of 256 KiB that own their memory; the file is complete when
 * the last piece was passed on.
 *
 * @param chunks Chunks as they arrive
 * @param path Path of the file, which must not exist
 * @throws {StorageError} If the disk takes fewer bytes than it was given
 */
export async function* writeThrough(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const file = await open(path, "wx");
  try {
    for await (const piece of joined(chunks)) {
      await writeFully(file, piece, path);
      yield piece;
    }
  } finally {
    await file.close();
  }
}

async function* joined(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  let piece = new Uint8Array(PIECE_SIZE);
  let length = 0;
  for await (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length;) {
      const taken = chunk.subarray(offset, offset + PIECE_SIZE - length);
      piece.set(taken, length);
      length += taken.length;
      offset += taken.length;
      if (length < PIECE_SIZE) continue;
      yield piece;
      piece = new Uint8Array(PIECE_SIZE);
      length = 0;
    }
  }
  if (length > 0) yield piece.slice(0, length);
}

// A full disk can shorten a write without an error.
async function writeFully(file: FileHandle, bytes: Uint8Array, path: string): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset);
    if (bytesWritten === 0) {
      throw new StorageError(
        `Cannot write ${path}: expected room on the disk, got none; make room`,
      );
    }
    offset += bytesWritten;
  }
}
