import { createHash } from "node:crypto";
import { assertRegular } from "./files.ts";
import { readPieces } from "./read_pieces.ts";

/** Hash and length of a file. */
export interface HashedFile {
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its length. */
  readonly sizeBytes: number;
}

/**
 * Hashes a file piece by piece, in constant memory.
 *
 * @throws {StorageError} If it is no regular file
 */
export async function hashFile(path: string): Promise<HashedFile> {
  assertRegular(path);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  await readPieces(path, (piece) => {
    hash.update(piece);
    sizeBytes += piece.length;
  });
  return { sha256: hash.digest("hex"), sizeBytes };
}
