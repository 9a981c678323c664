import { setImmediate } from "node:timers/promises";
import type { GunzipFacts } from "./_gunzip_parts.ts";
import type { FromInflater, ToInflater } from "./_inflate_messages.ts";
import { Mailbox } from "./_mailbox.ts";
import type { InflateOptions } from "./gzip_source.ts";

const MAX_AHEAD_BYTES = 8 << 20;

// Parts that wait would otherwise all be parsed in one turn of the event loop, and block it for 250 ms instead of 60.
const LONGEST_TURN_MS = 20;

/** The thread could not do its work; what the file holds is not the reason. */
class Failure extends Error {
  override readonly name = "Failure";
}

/** One file's inflating thread, seen from the thread that works on the parts. */
export class InflateThread {
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
