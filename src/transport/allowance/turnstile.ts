/** Lets callers through one at a time, in the order in which they came. */
export class Turnstile {
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

/** Wakes whoever waits for something to become free. */
export class Bell {
  #ring = Promise.withResolvers<void>();

  /** Resolves with the next ring. */
  next(): Promise<void> {
    return this.#ring.promise;
  }

  /** Wakes all who wait now. */
  ring(): void {
    const rung = this.#ring;
    this.#ring = Promise.withResolvers<void>();
    rung.resolve();
  }
}
