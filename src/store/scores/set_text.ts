import { gunzipSync, gzipSync } from "node:zlib";
import { ContractViolation } from "../../contract/violation.ts";

// Below this a file takes as many blocks of the disk either way, and stays readable.
const SMALL_CHARACTERS = 16_384;
// No universe comes near it; what inflates beyond it was made to do harm.
const MAX_TEXT_BYTES = 64 << 20;
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
 * The text of a gzip form.
 *
 * @throws {ContractViolation} If it is damaged, or inflates beyond any set
 */
export function unpackText(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_TEXT_BYTES }).toString("utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new ContractViolation("the file", "whole gzip data of a score set", message);
  }
}
