/** The waiting that one call may do, over all its attempts; waits at the same time count once. */
export class WaitBudget {
  /** The whole budget. */
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
