import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { kindOf } from "../../base/disk/files.ts";
import { KEY_LIKE } from "../../base/contract/key.ts";
import { IntegrityError } from "../../base/errors.ts";
import { PACKED, RELEASE_FILE, sha256Hex } from "../../base/store/layout.ts";
import { unpackBytes } from "../../base/store/scores/set_file.ts";

/** A shared file. */
export interface StudyFile {
  /** Its length. */
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its bytes. */
  readonly read: () => Promise<Uint8Array>;
}

// A larger file is read again when it is packed.
const SMALL_BYTES = 1 << 20;

/** A file that the export itself makes. */
export function madeFile(content: string | Uint8Array): StudyFile {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return { sizeBytes: bytes.length, sha256: sha256Hex(bytes), read: () => Promise.resolve(bytes) };
}

/**
 * Reads a shared file.
 *
 * @param source Its path on this machine
 * @param options Its path in the archive, the bytes that may still be kept in memory, and a transformation of its content
 * @throws {IntegrityError} If it is no regular file, holds something that looks like an API key, or changed before the second
 * reading
 */
export async function readStudyFile(
  source: string,
  { path, room, change }: {
    readonly path: string;
    readonly room: { bytes: number };
    readonly change?: (bytes: Uint8Array) => Uint8Array;
  },
): Promise<StudyFile> {
  assertRegular(source, path);
  // A small file is read faster synchronously than in a thread.
  const read = () => Promise.resolve(readFileSync(source));
  const bytes = await read();
  if (change !== undefined) {
    const changed = Buffer.from(change(bytes));
    assertShareable(path, textOf(path, changed));
    return madeFile(changed);
  }
  assertShareable(path, textOf(path, bytes));
  if (bytes.length < Math.min(SMALL_BYTES, room.bytes + 1)) {
    room.bytes -= bytes.length;
    return madeFile(bytes);
  }
  const sha256 = sha256Hex(bytes);
  return {
    sizeBytes: bytes.length,
    sha256,
    read: async () => {
      const again = await read();
      if (sha256Hex(again) === sha256) return again;
      throw new IntegrityError(
        `Cannot export ${path}: expected the file that was read a moment ago, got a changed one; ` +
          "export the study again",
      );
    },
  };
}

// A link publishes what it leads to, a FIFO is never read to its end.
function assertRegular(source: string, path: string): void {
  const got = kindOf(source);
  if (got === "a file") return;
  throw new IntegrityError(
    `Cannot export ${path}: expected a regular file in the folder of the study, got ` +
      `${got ?? "none"}; put a copy of the file there`,
  );
}

/**
 * Refuses a text that contains something like an API key.
 *
 * @throws {IntegrityError} If it does
 */
export function assertShareable(path: string, text: string): void {
  if (!KEY_LIKE.test(text)) return;
  throw new IntegrityError(
    `Cannot export ${path}: expected a file without an API key, got something that looks like one; remove it, clear ` +
      "the outputs of the cell, and revoke the key if it is real",
  );
}

// The file of a release comes from the service and contains no text of the user's.
function textOf(path: string, bytes: Buffer): string {
  if (!path.endsWith(PACKED)) return bytes.toString("latin1");
  return path.endsWith(RELEASE_FILE) ? "" : new TextDecoder().decode(unpackBytes(bytes));
}
