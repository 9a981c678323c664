/** Timers that end one attempt, joined with whatever else may end it. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Aborted when the time is over, or when the outer signal is. */
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

  /** Whether the time was over before anything else ended the attempt. */
  get isOver(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Gives the whole time again. */
  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#controller.abort(), this.#timeoutMs);
  }

  /** Stops the timer. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
