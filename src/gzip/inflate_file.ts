import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { StorageError, TransportError } from "../errors.ts";
import { type CompressedFacts, gunzipParts, partBuffer } from "./_gunzip_parts.ts";
import { InflateThread } from "./_inflate_thread.ts";
import type { GzipSource, InflateOptions } from "./gzip_source.ts";

export type { CompressedFacts };

// A thread takes 45 ms to start, in which two megabytes are inflated here.
const THREAD_PAYS_BYTES = 2_000_000;

/**
 * Hashes and inflates a compressed file, and hands each part to `onPart` in order; the part's buffer is used again
 * when `onPart` returns.
 *
 * A larger file is read, hashed and inflated in a thread of its own, while this one works on the parts.
 *
 * @throws {StorageError} If there is no such file
 * @throws {TransportError} If the source cannot be read
 */
export async function inflateFile(
  source: GzipSource,
  onPart: (part: Uint8Array) => void,
  options: InflateOptions,
): Promise<CompressedFacts> {
  const size = "path" in source ? await sizeOf(source.path) : source.sizeBytes;
  if (size !== null && size < THREAD_PAYS_BYTES) {
    const chunks = "path" in source ? createReadStream(source.path) : source.chunks;
    return await inflateHere(chunks as AsyncIterable<Uint8Array>, onPart, options);
  }
  const thread = new InflateThread(onPart, options);
  try {
    return await thread.run(source);
  } catch (error) {
    if (!(error instanceof InflateThread.Failure)) throw error;
    throw new TransportError(`Cannot read the compressed file: ${error.message}`, { cause: error });
  } finally {
    thread.stop();
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new StorageError(
      `Cannot read ${path}: expected a compressed file, got "${
        (error as Error).message
      }"; get the file again`,
      { cause: error },
    );
  }
}

function inflateHere(
  chunks: AsyncIterable<Uint8Array>,
  onPart: (part: Uint8Array) => void,
  options: InflateOptions,
): Promise<CompressedFacts> {
  const buffer = partBuffer();
  const taker = {
    take: () => {
      options.signal?.throwIfAborted();
      return buffer;
    },
    give: (filled: ArrayBuffer, length: number) => onPart(new Uint8Array(filled, 0, length)),
  };
  return gunzipParts(chunks, taker, options);
}
