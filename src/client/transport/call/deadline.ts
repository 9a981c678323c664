// Created once: without a reason, the platform creates an error with a stack for each abort, and this one is never shown.
const OVER = new DOMException("The attempt is over", "AbortError");

/** Timer that ends an attempt, combined with outer signals. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  readonly #outers: readonly AbortSignal[];
  /** Aborted when the time is over or an outer signal is aborted, and at the latest by {@link stop}. */
  readonly signal: AbortSignal = this.#controller.signal;

  /**
   * @param timeoutMs Time until the end, limited to the platform's longest timer
   * @param outers Signals that end the attempt as well
   */
  constructor(timeoutMs: number, ...outers: readonly AbortSignal[]) {
    this.#timeoutMs = Math.min(timeoutMs, 2 ** 31 - 1);
    this.#outers = outers;
    // AbortSignal.any() would leave weak references in signals that live as long as the connection.
    for (const outer of outers) outer.addEventListener("abort", this.#follow);
    const aborted = outers.find((outer) => outer.aborted);
    if (aborted !== undefined) this.#controller.abort(aborted.reason);
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
    for (const outer of this.#outers) outer.removeEventListener("abort", this.#follow);
    this.#controller.abort(OVER);
  }

  readonly #follow = ({ target }: Event) => {
    clearTimeout(this.#timer);
    this.#controller.abort((target as AbortSignal).reason);
  };
}
