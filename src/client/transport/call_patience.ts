/** Waiting allowed to one call over all its attempts; simultaneous waits count once. */
export class WaitPatience {
  /** Total waiting allowed. */
  readonly totalMs: number;
  #spentMs = 0;
  #countedUntilMs = -Infinity;

  /** @param totalMs Milliseconds that the caller allows */
  constructor(totalMs: number) {
    this.totalMs = totalMs;
  }

  /** Longest wait that may begin at a time. */
  leftFrom(fromMs: number): number {
    const alreadyCountedMs = Math.max(0, this.#countedUntilMs - fromMs);
    return alreadyCountedMs + Math.max(0, this.totalMs - this.#spentMs);
  }

  /** Counts a wait from one time to another. */
  spend(fromMs: number, untilMs: number): void {
    const startMs = Math.max(fromMs, this.#countedUntilMs);
    if (untilMs <= startMs) return;
    this.#spentMs += untilMs - startMs;
    this.#countedUntilMs = untilMs;
  }
}

/** Limits of one call of a verb over all its requests, if its caller set them: deadline and waiting. */
export class CallPatience {
  /** Time for the whole call; `null` if the caller set none, so that the connection's applies to each request. */
  readonly deadlineMs: number | null;
  /** Waiting of the whole call; `null` if the caller set none. */
  readonly waits: WaitPatience | null;
  // Timers of deadlines use this clock, too.
  readonly #startedMs = performance.now();

  /** @param options Limits of the caller; time starts now */
  constructor(
    { deadlineMs, maxWaitMs }: { readonly deadlineMs?: number; readonly maxWaitMs?: number },
  ) {
    this.deadlineMs = deadlineMs ?? null;
    this.waits = maxWaitMs === undefined ? null : new WaitPatience(maxWaitMs);
  }

  /** Remaining time; `null` if the caller set none. */
  get leftMs(): number | null {
    if (this.deadlineMs === null) return null;
    return Math.max(0, this.deadlineMs - (performance.now() - this.#startedMs));
  }
}
