import { parentPort } from "node:worker_threads";
import { unpackArrays } from "./packed_arrays.ts";
import { COUNTER, runnerOf, type SessionJob, takeChunks } from "./session_task.ts";

parentPort?.on("message", (message: unknown) => {
  const { task, chunks } = unpackArrays(message) as SessionJob;
  try {
    takeChunks(chunks, runnerOf(task));
  } catch {
    // The waiting thread then does the whole task, and throws the same error.
    Atomics.store(chunks.counters, COUNTER.failed, 1);
    Atomics.add(chunks.counters, COUNTER.done, 1);
    Atomics.notify(chunks.counters, COUNTER.done);
  }
});
