// Made once: the platform makes an error with a stack for each abort that is given none, and nobody sees this one.
const OVER = new DOMException("The attempt is over", "AbortError");

/** Timers that end one attempt, joined with whatever else may end it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  /** Aborted when the time is over, when the outer signal is, and at the latest by {@link stop}. */
  readonly signal: AbortSignal;

  /**
   * @param timeoutMs Time until the end; at most the platform's longest timer counts
   * @param outer Signal that ends the attempt as well
   */
  constructor(timeoutMs: number, outer: AbortSignal) {
    this.#timeoutMs = Math.min(timeoutMs, 2 ** 31 - 1);
    this.signal = AbortSignal.any([outer, this.#controller.signal]);
    this.restart();
  }

  /** True if the time was over before anything else ended the attempt. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Gives a whole time again, unless it has ended. */
  restart(timeoutMs: number = this.#timeoutMs): void {
    clearTimeout(this.#timer);
    if (this.#controller.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#isOver = !this.signal.aborted;
      this.#controller.abort();
    }, Math.min(timeoutMs, 2 ** 31 - 1));
  }

  /** Ends the attempt: the timer stops, and it lets go of what it still holds, such as an unread body. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#controller.abort(OVER);
  }
}
