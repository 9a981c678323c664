import { createHash, type Hash } from "node:crypto";
import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";

/** Size of the content of a part. */
export const PART_SIZE = 1 << 20;

/** What became known of a compressed file by reading it to its end. */
export interface CompressedFacts {
  /** SHA-256 of the compressed bytes, in hexadecimal. */
  readonly sha256: string;
  /** Number of compressed bytes. */
  readonly sizeBytes: number;
  /** Number of bytes that it inflated to. */
  readonly inflatedBytes: number;
  /** What is wrong with it as a gzip file, or `null`. */
  readonly fault: string | null;
}

/** A piece of the inflated file, with room before and after the content. */
export interface InflatedPart {
  /** Buffer that holds the content. */
  readonly buffer: ArrayBuffer;
  /** Where the content begins. */
  readonly start: number;
  /** Where the content ends. */
  readonly end: number;
}

/** How a file is inflated. */
export interface GunzipOptions {
  /** Bytes left free before the content of each part. */
  readonly headroom: number;
  /** Bytes left free after the content of each part. */
  readonly slack: number;
  /** Inflated bytes beyond which the file is refused. */
  readonly maxInflatedBytes: number;
}

/** Who takes the parts. */
export interface PartTaker {
  /** A buffer to fill; it may take until another one is done with. */
  take(): Promise<ArrayBuffer> | ArrayBuffer;
  /** Receives a filled buffer. */
  give(part: InflatedPart): void;
}

/**
 * Hashes and inflates a gzip file part by part.
 *
 * A file of several members is the concatenation of what they hold, and zeros after the last one are padding
 * (RFC 1952, section 2.2, and gzip itself); anything else after it is a fault. A fault does not end the reading: the
 * checksum of the whole file tells whether the fault was there from the start.
 */
export async function gunzipParts(
  source: AsyncIterable<Uint8Array>,
  taker: PartTaker,
  options: GunzipOptions,
): Promise<CompressedFacts> {
  const hash = createHash("sha256");
  const gunzip = createGunzip({ chunkSize: PART_SIZE });
  const feeding = feed(source, hash, gunzip);
  let inflatedBytes = 0;
  let fault: string | null = null;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      inflatedBytes += chunk.length;
      if (inflatedBytes > options.maxInflatedBytes) {
        fault = `it inflates to more than ${options.maxInflatedBytes} bytes`;
        break;
      }
      taker.give(fill(await taker.take(), chunk, options));
    }
  } catch (error) {
    fault = faultOf(error);
  }
  const sizeBytes = await feeding;
  return { sha256: hash.digest("hex"), sizeBytes, inflatedBytes, fault };
}

/** A new buffer for a part. */
export function partBuffer(options: GunzipOptions): ArrayBuffer {
  return new ArrayBuffer(options.headroom + PART_SIZE + options.slack);
}

function fill(buffer: ArrayBuffer, chunk: Uint8Array, options: GunzipOptions): InflatedPart {
  const start = options.headroom;
  new Uint8Array(buffer).set(chunk, start);
  return { buffer, start, end: start + chunk.length };
}

async function feed(
  source: AsyncIterable<Uint8Array>,
  hash: Hash,
  gunzip: Gunzip,
): Promise<number> {
  let sizeBytes = 0;
  // The reader of the stream reports its errors; here it only matters that nobody waits for it any more.
  const closed = once(gunzip, "close").catch(() => undefined);
  for await (const chunk of source) {
    hash.update(chunk);
    sizeBytes += chunk.length;
    if (gunzip.destroyed || gunzip.write(chunk)) continue;
    await Promise.race([once(gunzip, "drain").catch(() => undefined), closed]);
  }
  if (!gunzip.destroyed) gunzip.end();
  return sizeBytes;
}

const FAULTS: Readonly<Record<string, string>> = {
  "incorrect header check": "it is not a gzip file, or something follows its last member",
  "unknown header flags set": "its gzip header has unknown flags",
  "unknown compression method": "its gzip header names another compression method",
  "header crc mismatch": "its gzip header is damaged",
  "unexpected end of file": "it is cut off before the end of its gzip data",
  "incorrect data check": "its content does not have the CRC that its gzip trailer gives",
  "incorrect length check": "its content does not have the length that its gzip trailer gives",
};

function faultOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return FAULTS[message] ?? `its compressed data is damaged: ${message}`;
}
