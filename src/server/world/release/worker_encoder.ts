import { Worker } from "node:worker_threads";
import { StorageError } from "../../../base/errors.ts";
import type { CalendarDate } from "../../../base/contract/instant.ts";
import type { ReleaseEncoderSettings, ReleaseFacts, SessionEncoder } from "./release_encoder.ts";
import type { WorkerReply, WorkerRequest } from "./release_worker.ts";

// Enough to keep the worker busy; a session of 3,000 tickers takes 12 kB.
const MOST_WAITING = 64;

/** Encodes a release on its own thread, because compression takes most of the time of a large world. */
export class WorkerEncoder implements SessionEncoder {
  readonly #worker: Worker;
  readonly #finished: Promise<ReleaseFacts>;
  #waiting = 0;
  #wake: () => void = () => {};

  /** @param settings Settings of the encoder */
  constructor(settings: ReleaseEncoderSettings) {
    // A package built for Node has .js files.
    const extension = import.meta.url.endsWith(".js") ? "js" : "ts";
    const url = new URL(`./release_worker.${extension}`, import.meta.url);
    this.#worker = new Worker(url, { workerData: settings });
    this.#finished = new Promise((resolve, reject) => {
      this.#worker.on("error", reject);
      this.#worker.on("message", (reply: WorkerReply) => {
        if (reply.kind === "finished") resolve(reply.facts);
        else if (reply.kind === "failed") {
          reject(new StorageError(`Cannot write a release: ${reply.message}`));
        }
        this.#waiting--;
        this.#wake();
      });
    });
    // The next call throws the failure.
    this.#finished.catch(() => {});
  }

  async writeSession(date: CalendarDate, micro: Int32Array): Promise<void> {
    const copy = Int32Array.from(micro).buffer;
    this.#send({ kind: "session", date, micro: copy }, [copy]);
    while (this.#waiting >= MOST_WAITING) {
      const woken = new Promise<void>((resolve) => this.#wake = resolve);
      await Promise.race([woken, this.#finished]);
    }
  }

  async finish(): Promise<ReleaseFacts> {
    this.#send({ kind: "finish" });
    try {
      return await this.#finished;
    } finally {
      await this.#worker.terminate();
    }
  }

  async abandon(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: WorkerRequest, transfer: readonly ArrayBuffer[] = []): void {
    this.#waiting++;
    this.#worker.postMessage(request, transfer);
  }
}

/** Never called. Packagers and caches follow imports but not the URLs of workers, so this import shows them the worker. */
function _nameWorker(): Promise<unknown> {
  return import("./release_worker.ts");
}
