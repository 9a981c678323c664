/** Lets callers through one at a time, in the order in which they came. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();
  // Those that have the turn or wait for it.
  #callers = 0;

  /** Waits for the turn; the returned function passes it on, and may be called more than once. */
  async take(): Promise<() => void> {
    const previous = this.#last;
    const pass = this.#stand();
    await previous;
    return pass;
  }

  /** The turn at once, as {@link take} gives it; `null` if somebody has it. */
  takeNow(): (() => void) | null {
    return this.#callers === 0 ? this.#stand() : null;
  }

  #stand(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    this.#callers++;
    let isPassed = false;
    return () => {
      if (isPassed) return;
      isPassed = true;
      this.#callers--;
      resolve();
    };
  }
}
