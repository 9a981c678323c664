/** Lets callers through one at a time, in the order in which they came. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Waits for the turn; the returned function passes it on, and may be called more than once. */
  async take(): Promise<() => void> {
    const previous = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await previous;
    return resolve;
  }
}
