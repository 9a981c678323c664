import type { FileHandle } from "node:fs/promises";
import { StorageError } from "../../errors.ts";

/**
 * Writes bytes to a file that is open, all of them: a full disk can shorten a write without an error.
 *
 * @throws {StorageError} If the disk is full
 */
export async function writePiece(
  file: FileHandle,
  { path, piece }: { readonly path: string; readonly piece: Uint8Array },
): Promise<void> {
  for (let at = 0; at < piece.length;) {
    const { bytesWritten } = await file.write(piece, at, piece.length - at);
    if (bytesWritten === 0) {
      throw new StorageError(
        `Cannot write ${path}: expected room on the disk, got none; make some, or use another folder`,
      );
    }
    at += bytesWritten;
  }
}
