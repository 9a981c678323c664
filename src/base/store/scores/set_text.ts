import { gunzipSync, gzipSync } from "node:zlib";
import { ContractViolation } from "../../contract/violation.ts";

// Smaller files take the same disk blocks either way, and stay readable uncompressed.
const SMALL_CHARACTERS = 16_384;
// Far above any universe; larger contents are malicious.
const MAX_TEXT_BYTES = 64 << 20;
// The text of 3,000 rows in one piece; the default piece size takes half as long again.
const CHUNK_BYTES = 1 << 17;
const SYSTEM_BYTE = 9;
const UNKNOWN_SYSTEM = 255;

/** Tests if the text of a set is stored compressed. */
export function isPackedWhenKept(text: string): boolean {
  return text.length > SMALL_CHARACTERS;
}

/** Compresses a text with gzip, without time and system, so that equal texts give equal bytes. */
export function packText(text: string): Uint8Array {
  const bytes = gzipSync(text);
  bytes[SYSTEM_BYTE] = UNKNOWN_SYSTEM;
  return bytes;
}

/**
 * Decompresses gzip bytes.
 *
 * @throws {ContractViolation} If they are damaged, or inflate beyond any set
 */
export function unpackBytes(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES, chunkSize: CHUNK_BYTES });
  } catch (error) {
    const { message } = error as Error;
    throw new ContractViolation("the file", "whole gzip data of a score set", message);
  }
}
