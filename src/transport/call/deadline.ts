// Created once: without a reason, the platform creates an error with a stack for each abort, and this one is never shown.
const OVER = new DOMException("The attempt is over", "AbortError");

/** Timer that ends an attempt, combined with an outer signal. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** Aborted when the time is over or the outer signal is aborted, and at the latest by {@link stop}. */
  readonly signal: AbortSignal;

  /**
   * @param timeoutMs Time until the end, limited to the platform's longest timer
   * @param outer Signal that ends the attempt as well
   */
  constructor(timeoutMs: number, outer: AbortSignal) {
    this.#timeoutMs = Math.min(timeoutMs, 2 ** 31 - 1);
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
    this.restart();
  }

  /** True if the attempt ended because its time was over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Restarts the time, unless it has ended. */
  restart(timeoutMs: number = this.#timeoutMs): void {
    clearTimeout(this.#timer);
    if (this.#controller.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isOver = !this.signal.aborted;
      this.#controller.abort();
    }, Math.min(timeoutMs, 2 ** 31 - 1));
  }

  /** Ends the attempt: stops the timer, and releases resources such as an unread body. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(OVER);
  }
}
