/** Does a task for the sessions from one on, up to before another one. */
export type SessionRunner = (from: number, to: number) => void;

/** Sessions that threads take chunk by chunk. */
export interface Chunks {
  /** First session. */
  readonly from: number;
  /** One more than the last session. */
  readonly to: number;
  /** Largest number of sessions of a chunk. */
  readonly size: number;
  /** Shared counters, at the places of {@link COUNTER}. */
  readonly counters: Int32Array;
}

/** Places of the shared counters. */
export const COUNTER = { next: 0, done: 1, failed: 2 } as const;

/** Number of chunks. */
export function countChunks({ from, to, size }: Omit<Chunks, "counters">): number {
  return Math.ceil((to - from) / size);
}

/** Takes chunks that no thread has taken yet until there are none, and tells whoever waits for them. */
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
