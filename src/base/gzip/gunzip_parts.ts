import { once } from "node:events";
import { createGunzip, type Gunzip } from "node:zlib";

const PART_SIZE = 1 << 19;

/** Facts of a gzip file that was inflated to its end. */
export interface GunzipFacts {
  /** Number of compressed bytes. */
  readonly sizeBytes: number;
  /** Number of bytes that it inflated to. */
  readonly inflatedBytes: number;
  /** Fault of it as a gzip file, or `null`. */
  readonly fault: string | null;
}

/** Options of inflating a file. */
export interface GunzipOptions {
  /** Inflated bytes beyond which the file is refused. */
  readonly maxInflatedBytes: number;
}

/**
 * Source of compressed bytes: a file, or a transfer whose size may be known. The chunks of a transfer are taken
 * over with their memory, which nothing else may use.
 */
export type GzipSource =
  | { readonly path: string }
  | { readonly chunks: AsyncIterable<Uint8Array<ArrayBuffer>>; readonly sizeBytes: number | null };

/** Options of inflating a compressed file. */
export interface InflateOptions extends GunzipOptions {
  /** Cancels the work. */
  readonly signal?: AbortSignal | undefined;
}

/** Receiver of the parts. */
export interface PartTaker {
  /** Waits until another part may be given. */
  ready(): Promise<void> | void;
  /** Receives a part, with its memory if nothing else is in that. */
  give(part: Uint8Array<ArrayBuffer>): void;
}

/**
 * Inflates a gzip file part by part.
 *
 * A file of several members is the concatenation of what they hold, and zeros after the last one are padding
 * (RFC 1952, section 2.2, and gzip itself); anything else after it is a fault, even a member after such zeros. A fault
 * does not end the reading: the checksum of the whole file tells whether the fault was there from the start.
 */
export async function gunzipParts(
  source: AsyncIterable<Uint8Array>,
  taker: PartTaker,
  options: GunzipOptions,
): Promise<GunzipFacts> {
  const gunzip = createGunzip({ chunkSize: PART_SIZE });
  const head: number[] = [];
  const feeding = feed(noteHead(source, head), gunzip);
  feeding.catch(() => undefined);
  try {
    const { inflatedBytes, error } = await drain(gunzip, taker, options);
    const damage = typeof error === "string" || error === null ? error : faultOf(error, head);
    const { sizeBytes, hasTail } = await feeding;
    const fault = damage ?? (hasTail ? TAIL : null);
    return { inflatedBytes, fault, sizeBytes };
  } finally {
    gunzip.destroy();
  }
}

async function drain(
  gunzip: Gunzip,
  taker: PartTaker,
  options: GunzipOptions,
): Promise<{ inflatedBytes: number; error: unknown }> {
  let inflatedBytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array<ArrayBuffer>>) {
      inflatedBytes += chunk.length;
      if (inflatedBytes > options.maxInflatedBytes) {
        return {
          inflatedBytes,
          error: `a file that inflates to more than ${options.maxInflatedBytes} bytes`,
        };
      }
      await taker.ready();
      taker.give(chunk);
    }
    return { inflatedBytes, error: null };
  } catch (error) {
    return { inflatedBytes, error };
  }
}

async function* noteHead(
  source: AsyncIterable<Uint8Array>,
  head: number[],
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of source) {
    if (head.length < 2) head.push(...chunk.subarray(0, 2));
    yield chunk;
  }
}

interface Fed {
  readonly sizeBytes: number;
  /** True if something other than zeros follows the first zero after a member. */
  readonly hasTail: boolean;
}

// Reads on after a fault, for the checksum of the whole file; only a source that breaks ends it early. What follows a
// member and begins with a zero is not given to the decoder, whose answer would depend on how the source was cut.
async function feed(source: AsyncIterable<Uint8Array>, gunzip: Gunzip): Promise<Fed> {
  let sizeBytes = 0;
  let isOver = false;
  let hasTail = false;
  const closed = once(gunzip, "close").then(() => undefined, () => undefined);
  try {
    for await (const chunk of source) {
      const rest: Uint8Array = isOver || gunzip.destroyed
        ? chunk
        : chunk.subarray(await write(gunzip, chunk, closed));
      isOver ||= rest.length > 0;
      hasTail ||= rest.some((byte) => byte !== 0);
      sizeBytes += chunk.length;
    }
  } catch (error) {
    gunzip.destroy(error as Error);
    throw error;
  }
  if (!gunzip.destroyed) gunzip.end();
  return { sizeBytes, hasTail };
}

// Returns how many bytes the decoder took: all, unless a member ends before a zero.
async function write(gunzip: Gunzip, chunk: Uint8Array, closed: Promise<void>): Promise<number> {
  const before = gunzip.bytesWritten;
  const written = new Promise<void>((resolve) => gunzip.write(chunk, () => resolve()));
  await Promise.race([written, closed]);
  return gunzip.bytesWritten - before;
}

const TAIL = "something other than zeros after its last gzip member";

const FAULTS: Readonly<Record<string, string>> = {
  "incorrect header check": TAIL,
  "unknown header flags set": "a gzip header with unknown flags",
  "unknown compression method": "a gzip header with another compression method",
  "header crc mismatch": "a damaged gzip header",
  "unexpected end of file": "a file cut off before the end of its gzip data",
  "incorrect data check": "content with another CRC than its gzip trailer states",
  "incorrect length check": "content of another length than its gzip trailer states",
};

// Faults of the compressed data; any other error is no fault of the file and is thrown on.
function faultOf(error: unknown, head: readonly number[]): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code !== "string" || !code.startsWith("Z_")) throw error;
  const reason = String(message);
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    return head.length === 0 ? "an empty file" : "a file that is not gzip";
  }
  return FAULTS[reason] ?? `damaged compressed data: ${reason}`;
}
