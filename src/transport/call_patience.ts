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

  /** How long a wait that begins at a time may be. */
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
 * What one call of a verb may take over all its requests, as far as its caller bounded it: the time until it must end,
 * and the waiting.
 */
export class CallPatience {
  /** Time for the whole call; `null` if the caller set none, so that the connection's holds for each request. */
  readonly deadlineMs: number | null;
  /** Waiting of the whole call; `null` if the caller set none. */
  readonly waits: WaitPatience | null;
  // The timers of deadlines follow this clock as well.
  readonly #startedMs = performance.now();

  /** @param options What the caller set; the time runs from here on */
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
