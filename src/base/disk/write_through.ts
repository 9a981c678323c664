import { open } from "node:fs/promises";
import { writeFully } from "./files.ts";

// A write takes about a tenth of a millisecond however small it is, and a network delivers 64 KiB at a time; larger pieces
// would wait longer to fill.
const PIECE_SIZE = 1 << 18;

/**
 * Passes bytes on after writing them to a new file, in pieces of 256 KiB with their own memory; the file is complete when
 * the last piece is passed on.
 *
 * @param chunks Chunks as they arrive
 * @param path Path of the file, which must not exist
 * @throws {StorageError} If the disk is full
 */
export async function* writeThrough(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  await using file = await open(path, "wx");
  for await (const piece of joined(chunks)) {
    await writeFully(file, { path, bytes: piece });
    yield piece;
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
