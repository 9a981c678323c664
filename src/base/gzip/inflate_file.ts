import { Buffer } from "node:buffer";
import { createHash, type Hash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { stat } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { assertRegular } from "../disk/files.ts";
import { StorageError, TransportError } from "../errors.ts";
import {
  type GunzipFacts,
  gunzipParts,
  type GzipSource,
  type InflateOptions,
} from "./gunzip_parts.ts";
import { type FromInflater, Mailbox, type ToInflater } from "./_inflate_messages.ts";

/** Facts of a compressed file that was read to its end. */
export interface CompressedFacts extends GunzipFacts {
  /** SHA-256 of the compressed bytes, in hexadecimal. */
  readonly sha256: string;
}

type Chunks = AsyncIterable<Uint8Array<ArrayBuffer>>;

// A thread takes 45 ms to start, in which two megabytes are inflated here.
const THREAD_PAYS_BYTES = 2_000_000;
const READ_SIZE = 1 << 20;

const MAX_AHEAD_BYTES = 8 << 20;

// Parts that wait would otherwise all be parsed in one turn of the event loop, and block it for 250 ms instead of 60.
const LONGEST_TURN_MS = 20;

/**
 * Hashes and inflates a compressed file, and hands each part to `onPart` in order; the part's memory is freed or used again
 * when `onPart` returns.
 *
 * A larger file is inflated in a thread of its own, while this one reads and hashes it and works on the parts.
 *
 * @throws {StorageError} If there is no such file
 * @throws {TransportError} If the source cannot be read
 */
export async function inflateFile(
  source: GzipSource,
  onPart: (part: Uint8Array<ArrayBuffer>) => void,
  options: InflateOptions,
): Promise<CompressedFacts> {
  const size = "path" in source ? await sizeOf(source.path) : source.sizeBytes;
  const hash = createHash("sha256");
  const chunks = hashed("path" in source ? piecesOf(source.path) : source.chunks, hash);
  const isSmall = size !== null && size < THREAD_PAYS_BYTES;
  const inflating = isSmall
    ? inflateHere(chunks, onPart, options)
    : inflateInThread(chunks, onPart, options);
  const facts = await inflating;
  return { ...facts, sha256: hash.digest("hex") };
}

async function sizeOf(path: string): Promise<number> {
  assertRegular(path);
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw new StorageError(
      `Cannot read ${path}: expected a compressed file, got "${(error as Error).message}"; get ` +
        "the file again",
      { cause: error },
    );
  }
}

async function* hashed(chunks: Chunks, hash: Hash): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

// A stream takes five times as long as reading synchronously, 11 ms for 56 MB.
async function* piecesOf(path: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = openSync(path, "r");
  try {
    for (;;) {
      const piece = Buffer.allocUnsafeSlow(READ_SIZE);
      const size = readSync(file, piece);
      if (size === 0) return;
      yield piece.subarray(0, size);
    }
  } finally {
    closeSync(file);
  }
}

function inflateHere(
  chunks: Chunks,
  onPart: (part: Uint8Array<ArrayBuffer>) => void,
  options: InflateOptions,
): Promise<GunzipFacts> {
  const ready = () => options.signal?.throwIfAborted();
  return gunzipParts(chunks, { ready, give: onPart }, options);
}

async function inflateInThread(
  chunks: Chunks,
  onPart: (part: Uint8Array<ArrayBuffer>) => void,
  options: InflateOptions,
): Promise<GunzipFacts> {
  const thread = new InflateThread(onPart, options);
  try {
    return await thread.run(chunks);
  } catch (error) {
    if (!(error instanceof InflateThread.Failure)) throw error;
    throw new TransportError(`Cannot read the compressed file: ${error.message}`, { cause: error });
  } finally {
    thread.stop();
  }
}

/** The thread could not do its work; what the file holds is not the reason. */
class Failure extends Error {
  override readonly name = "Failure";
}

/** One file's inflating thread, seen from the thread that works on the parts. */
class InflateThread {
  static readonly Failure = Failure;
  readonly #worker: Worker;
  readonly #options: InflateOptions;
  readonly #onPart: (part: Uint8Array<ArrayBuffer>) => void;
  readonly #inbox = new Mailbox<FromInflater>();
  #ahead = 0;
  #onConsumed: (() => void) | null = null;
  #isStopped = false;

  /** Starts the thread; it waits for {@link run}. */
  constructor(onPart: (part: Uint8Array<ArrayBuffer>) => void, options: InflateOptions) {
    this.#worker = new Worker(workerUrl(), { type: "module" });
    this.#onPart = onPart;
    this.#options = options;
  }

  /** Inflates chunks to their end; they are taken over with their memory. */
  async run(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<GunzipFacts> {
    const { maxInflatedBytes, signal } = this.#options;
    signal?.throwIfAborted();
    const done = this.#listen(signal);
    this.#post({ kind: "start", options: { maxInflatedBytes } });
    const [, facts] = await Promise.all([Promise.race([this.#send(chunks), done]), done]);
    return facts;
  }

  /** Ends the thread, and lets go of a transfer that waits for it. */
  stop(): void {
    this.#isStopped = true;
    this.#worker.terminate();
    this.#onConsumed?.();
  }

  #listen(signal: AbortSignal | undefined): Promise<GunzipFacts> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#worker.onerror = (event) => {
        event.preventDefault();
        reject(new Failure(event.message));
      };
      this.#worker.onmessage = (event: MessageEvent<FromInflater>) => this.#inbox.put(event.data);
      this.#work().then(resolve, reject);
    });
  }

  async #work(): Promise<GunzipFacts> {
    let turnEnd = performance.now() + LONGEST_TURN_MS;
    while (!this.#isStopped) {
      const facts = this.#receive(await this.#inbox.take());
      if (facts !== null) return facts;
      if (performance.now() < turnEnd) continue;
      await setImmediate();
      turnEnd = performance.now() + LONGEST_TURN_MS;
    }
    throw new Failure("it was stopped");
  }

  #receive(message: FromInflater): GunzipFacts | null {
    if (message.kind === "part") {
      this.#onPart(message.part);
      // The collector of garbage would let some 60 MB pile up.
      message.part.buffer.transfer(0);
      this.#post({ kind: "parsed" });
    } else if (message.kind === "consumed") {
      this.#ahead -= message.bytes;
      this.#onConsumed?.();
    } else if (message.kind === "failed") {
      throw new Failure(message.message);
    }
    return message.kind === "done" ? message.facts : null;
  }

  async #send(chunks: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<void> {
    for await (const bytes of chunks) {
      const { length } = bytes;
      this.#ahead += length;
      this.#post({ kind: "chunk", bytes }, [bytes.buffer]);
      while (this.#ahead > MAX_AHEAD_BYTES && !this.#isStopped) {
        await new Promise<void>((resolve) => this.#onConsumed = resolve);
      }
      if (this.#isStopped) return;
    }
    this.#post({ kind: "end" });
  }

  #post(message: ToInflater, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer);
  }
}

/** Never called: packers and caches follow imports and not the URLs of workers, so that this names the worker to them. */
function _nameWorker(): Promise<unknown> {
  return import("./inflate_worker.ts");
}

// The published package holds JavaScript, the source tree TypeScript: the worker has the extension of this module.
function workerUrl(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./inflate_worker.${extension}`, import.meta.url);
}
