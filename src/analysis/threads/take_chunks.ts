/** Runs a task for the sessions from `from`, up to but excluding `to`. */
export type SessionRunner = (from: number, to: number) => void;

/** Sessions that threads process in chunks. */
export interface Chunks {
  /** First session. */
  readonly from: number;
  /** Session after the last. */
  readonly to: number;
  /** Maximum number of sessions in a chunk. */
  readonly size: number;
  /** Shared counters, at the indices of {@link COUNTER}. */
  readonly counters: Int32Array;
}

/** Indices of the shared counters. */
export const COUNTER = { next: 0, done: 1, failed: 2 } as const;

/** Number of chunks. */
export function countChunks({ from, to, size }: Omit<Chunks, "counters">): number {
  return Math.ceil((to - from) / size);
}

/** Processes chunks that no thread has taken until none is left, and notifies the waiting thread of each. */
export function takeChunks(chunks: Chunks, run: SessionRunner): void {
  const { from, to, size, counters } = chunks;
  const count = countChunks(chunks);
  for (;;) {
    const chunk = Atomics.add(counters, COUNTER.next, 1);
    if (chunk >= count) return;
    const start = from + chunk * size;
    run(start, Math.min(to, start + size));
    Atomics.add(counters, COUNTER.done, 1);
    Atomics.notify(counters, COUNTER.done);
  }
}
