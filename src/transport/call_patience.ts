/** The waiting that one call may do, over all its attempts; waits at the same time count once. */
export class WaitPatience {
  /** All the waiting that is allowed. */
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

/**
 * Limits of one call of a verb over all its requests, as far as its caller set them: the time until it must end,
 * and the waiting.
 */
export class CallPatience {
  /** Time for the whole call; `null` if the caller set none, so that the connection's holds for each request. */
  readonly deadlineMs: number | null;
  /** Waiting of the whole call; `null` if the caller set none. */
  readonly waits: WaitPatience | null;
  // The timers of deadlines follow this clock as well.
  readonly #startedMs = performance.now();

  /** @param options Limits of the caller; the time runs from here on */
  constructor(
    { deadlineMs, maxWaitMs }: { readonly deadlineMs?: number; readonly maxWaitMs?: number },
  ) {
    this.deadlineMs = deadlineMs ?? null;
    this.waits = maxWaitMs === undefined ? null : new WaitPatience(maxWaitMs);
  }

  /** Time that is left; `null` if the caller set none. */
  get leftMs(): number | null {
    if (this.deadlineMs === null) return null;
    return Math.max(0, this.deadlineMs - (performance.now() - this.#startedMs));
  }
}
