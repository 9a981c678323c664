/** Wakes all callers that wait for something to become free. */
export class Condition {
  #change = Promise.withResolvers<void>();

  /** Resolves with the next notification. */
  next(): Promise<void> {
    return this.#change.promise;
  }

  /** Wakes all callers that wait now. */
  notifyAll(): void {
    const changed = this.#change;
    this.#change = Promise.withResolvers<void>();
    changed.resolve();
  }
}
