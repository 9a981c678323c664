import { type FileHandle, open } from "node:fs/promises";
import { TransportError } from "../errors.ts";

/**
 * Passes chunks on after they are in a new file; the file is complete when the last chunk was passed on.
 *
 * @param chunks Chunks as they arrive
 * @param path Path of the file, which must not exist
 * @throws {TransportError} If the disk takes fewer bytes than it was given
 */
export async function* writeThrough(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array, void, void> {
  const file = await open(path, "wx");
  try {
    for await (const chunk of chunks) {
      await writeFully(file, chunk, path);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}

// A full disk can shorten a write without an error.
async function writeFully(file: FileHandle, bytes: Uint8Array, path: string): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset);
    if (bytesWritten === 0) {
      throw new TransportError(`Cannot write ${path}: the disk takes no more bytes`);
    }
    offset += bytesWritten;
  }
}
