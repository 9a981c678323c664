import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { packArrays } from "./packed_arrays.ts";
import { runnerOf, type SessionJob, type SessionTask } from "./session_task.ts";
import { type Chunks, countChunks, COUNTER, takeChunks } from "./take_chunks.ts";

const MAX_WORKERS = 3;
const CELLS_OF_CHUNK = 1 << 16;
// A chunk takes milliseconds; a thread that is silent for so long is lost.
const PATIENCE_MS = 60_000;

/** Task over sessions. */
export interface OverSessions<Task extends SessionTask> {
  /** First session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** Number of stocks of a session. */
  readonly width: number;
  /**
   * Least number of neighbouring sessions that a thread takes.
   *
   * @default 1
   */
  readonly atLeast?: number;
  /** True if the arrays that the task reads lie in memory that threads share. */
  readonly isShared: boolean;
  /** Makes the task, with arrays for its results that are shared or not. */
  make(isShared: boolean): Task;
}

/**
 * Does a task for all sessions, with the help of other threads where its arrays are shared: the same bits, because no session
 * reads what another one wrote. Where no thread starts, this one does all of it, chunk by chunk.
 */
export function overSessions<Task extends SessionTask>(of: OverSessions<Task>): Task {
  if (of.isShared && workers !== null) {
    const task = of.make(true);
    if (share(task, of)) return task;
    // Whatever a lost thread still writes, it writes into arrays that nobody reads.
    workers = null;
  }
  const task = of.make(false);
  runnerOf(task)(...of.span);
  return task;
}

/** The other threads, started when they are first needed; `null` after one was lost. */
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

/** True if all chunks were done. */
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
    // A runtime without threads, or a permission that is missing.
    return [];
  }
}

function startWorker(): Worker {
  const worker = new Worker(workerUrl());
  // A worker that cannot load takes no chunk.
  worker.on("error", () => {});
  // It ends with the program.
  worker.unref();
  return worker;
}

// The published package holds JavaScript, the source tree TypeScript: the worker has the extension of this module.
function workerUrl(): URL {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const url = new URL(`./session_worker.${extension}`, import.meta.url);
  if (url.protocol === "file:") return url;
  // A worker of Node's kind begins in a file or in a text, which may import from anywhere.
  return new URL(
    `data:text/javascript,${encodeURIComponent(`import ${JSON.stringify(url.href)}`)}`,
  );
}

/** Never called: packers and caches follow imports and not the URLs of workers, so that this names the worker to them. */
function _nameWorker(): Promise<unknown> {
  return import("./session_worker.ts");
}
