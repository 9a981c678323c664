import { createHash } from "node:crypto";

// A Parquet file ends with its metadata, their length in four bytes, and four letters.
const LENGTH_BYTES = 4;
const END_BYTES = 8;
const MARK = new TextEncoder().encode("scoreframe.seal\n");
const SEAL_BYTES = MARK.length + 32;

/**
 * Adds a hash to the bytes of a Parquet file, between rows and metadata. Readers follow the offsets in the metadata and
 * never see it.
 */
export function sealParquet(bytes: Uint8Array): Uint8Array {
  const at = metadataStart(bytes);
  if (at === null) throw new RangeError("expected the bytes of a Parquet file");
  const [rows, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
  const seal = new Uint8Array([...MARK, ...hashOf(rows, rest)]);
  const sealed = new Uint8Array(bytes.length + seal.length);
  sealed.set(rows);
  sealed.set(seal, at);
  sealed.set(rest, at + seal.length);
  return sealed;
}

/**
 * Tests if bytes are an unchanged sealed Parquet file. Call this before Polars reads them, because some damaged files make it
 * end the process.
 */
export function isSealed(bytes: Uint8Array): boolean {
  const at = metadataStart(bytes);
  if (at === null || at < SEAL_BYTES) return false;
  const seal = bytes.subarray(at - SEAL_BYTES, at);
  const hash = hashOf(bytes.subarray(0, at - SEAL_BYTES), bytes.subarray(at));
  return [...MARK, ...hash].every((byte, i) => byte === seal[i]);
}

function metadataStart(bytes: Uint8Array): number | null {
  const end = bytes.length - END_BYTES;
  if (end < 0) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset + end, LENGTH_BYTES)
    .getUint32(0, true);
  return length <= end ? end - length : null;
}

function hashOf(rows: Uint8Array, rest: Uint8Array): Uint8Array {
  return createHash("sha256").update(rows).update(rest).digest();
}
