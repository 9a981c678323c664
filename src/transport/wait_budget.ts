/** The waiting that one call may do, over all its attempts. */
export class WaitBudget {
  /** The whole budget. */
  readonly totalMs: number;
  #spentMs = 0;

  /** @param totalMs Milliseconds that the caller allows */
  constructor(totalMs: number) {
    this.totalMs = totalMs;
  }

  /** What is left. */
  get leftMs(): number {
    return Math.max(0, this.totalMs - this.#spentMs);
  }

  /** Counts a wait. */
  spend(waitMs: number): void {
    this.#spentMs += waitMs;
  }
}
