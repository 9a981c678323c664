import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { packArrays } from "./packed_arrays.ts";
import {
  type Chunks,
  countChunks,
  COUNTER,
  runnerOf,
  type SessionJob,
  type SessionTask,
  takeChunks,
} from "./session_task.ts";

const MAX_WORKERS = 3;
const CELLS_OF_CHUNK = 1 << 16;
// A chunk takes milliseconds; a thread without an answer for this long has failed.
const PATIENCE_MS = 60_000;

/** A task to be divided by session. */
export interface OverSessions<Task extends SessionTask> {
  /** First session and the one after the last. */
  readonly span: readonly [from: number, to: number];
  /** Number of stocks per session. */
  readonly width: number;
  /**
   * Minimum number of consecutive sessions in a chunk.
   *
   * @default 1
   */
  readonly atLeast?: number;
  /** True if the arrays that the task reads are in memory shared by threads. */
  readonly isShared: boolean;
  /** Creates the task, with shared or ordinary arrays for its results. */
  make(isShared: boolean): Task;
}

/**
 * Runs a task over all sessions, on several threads if its arrays are shared. The result is the same to the bit, because no
 * session reads the results of another. If no thread starts, the calling thread does all chunks.
 */
export function overSessions<Task extends SessionTask>(of: OverSessions<Task>): Task {
  if (of.isShared && workers !== null) {
    const task = of.make(true);
    if (share(task, of)) return task;
    // A failed thread can only write into the arrays of the abandoned task.
    workers = null;
  }
  const task = of.make(false);
  const run = runnerOf(task);
  for (let session = of.span[0]; session < of.span[1]; session++) run(session);
  return task;
}

/** Other threads, started at the first use; `null` after one has failed. */
let workers: readonly Worker[] | null | undefined;

function share(
  task: SessionTask,
  { span: [from, to], width, atLeast = 1 }: Omit<OverSessions<SessionTask>, "make" | "isShared">,
): boolean {
  const size = Math.max(atLeast, Math.floor(CELLS_OF_CHUNK / Math.max(1, width)));
  const counters = new Int32Array(new SharedArrayBuffer(4 * Object.keys(COUNTER).length));
  const chunks: Chunks = { from, to, size, counters };
  const job: SessionJob = { task, chunks };
  workers ??= startWorkers();
  if (countChunks(chunks) > 1) {
    const message = packArrays(job);
    for (const worker of workers) worker.postMessage(message);
  }
  takeChunks(chunks, runnerOf(task));
  return waitFor(chunks);
}

/** True if all chunks are done. */
function waitFor(chunks: Chunks): boolean {
  const { counters } = chunks;
  const count = countChunks(chunks);
  for (;;) {
    const done = Atomics.load(counters, COUNTER.done);
    if (Atomics.load(counters, COUNTER.failed) === 1) return false;
    if (done >= count) return true;
    if (Atomics.wait(counters, COUNTER.done, done, PATIENCE_MS) === "timed-out") return false;
  }
}

function startWorkers(): readonly Worker[] {
  const count = Math.min(MAX_WORKERS, availableParallelism() - 1);
  try {
    return Array.from({ length: Math.max(0, count) }, startWorker);
  } catch {
    // The runtime has no threads, or a permission is missing.
    return [];
  }
}

function startWorker(): Worker {
  const worker = new Worker(workerUrl());
  // A worker that fails to load takes no chunk.
  worker.on("error", () => {});
  // The worker ends with the program.
  worker.unref();
  return worker;
}

// The published package holds JavaScript, the source tree TypeScript: the worker has the extension of this module.
function workerUrl(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const url = new URL(`./session_worker.${extension}`, import.meta.url);
  if (url.protocol === "file:") return url;
  // A worker of node:worker_threads starts from a file or from source text, which may import any URL.
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(url.href)}`)}`,
  );
}

/** Never called; packers and caches follow imports, not the URLs of workers, and this import makes them include the worker. */
function _nameWorker(): Promise<unknown> {
  return import("./session_worker.ts");
}
