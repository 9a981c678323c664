/** Admits callers one at a time, in order of arrival. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();
  // Number of callers that have the turn or wait for it.
  #callers = 0;

  /** Waits for the turn; the returned function ends it, and may be called more than once. */
  async take(): Promise<() => void> {
    const previous = this.#last;
    const pass = this.#stand();
    await previous;
    return pass;
  }

  /** Takes the turn without waiting; `null` if it is taken. */
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
