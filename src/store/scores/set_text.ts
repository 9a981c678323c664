import { gunzipSync, gzipSync } from "node:zlib";
import { ContractViolation } from "../../contract/violation.ts";

// Below this a file takes as many blocks of the disk either way, and stays readable.
const SMALL_CHARACTERS = 16_384;
// No universe comes near it; what inflates beyond it was made to do harm.
const MAX_TEXT_BYTES = 64 << 20;
// The text of 3,000 rows at once: in the default pieces it takes half as long again.
const CHUNK_BYTES = 1 << 17;
const SYSTEM_BYTE = 9;
const UNKNOWN_SYSTEM = 255;

/** Whether the text of a set is kept compressed. */
export function isPackedWhenKept(text: string): boolean {
  return text.length > SMALL_CHARACTERS;
}

/** The gzip form of a text, without a time and a system, so that equal texts give equal bytes. */
export function packText(text: string): Uint8Array {
  const bytes = gzipSync(text);
  bytes[SYSTEM_BYTE] = UNKNOWN_SYSTEM;
  return bytes;
}

/**
 * What a gzip form holds, as bytes.
 *
 * @throws {ContractViolation} If it is damaged, or inflates beyond any set
 */
export function unpackBytes(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES, chunkSize: CHUNK_BYTES });
  } catch (error) {
    const { message } = error as Error;
    throw new ContractViolation("the file", "whole gzip data of a score set", message);
  }
}
