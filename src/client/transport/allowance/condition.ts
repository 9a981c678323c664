/** Wakes all callers that wait for a slot. */
export class Condition {
  #change = Promise.withResolvers<void>();

  /** Resolves with the next notification. */
  next(): Promise<void> {
    return this.#change.promise;
  }

  /** Wakes all waiting callers. */
  notifyAll(): void {
    const changed = this.#change;
    this.#change = Promise.withResolvers<void>();
    changed.resolve();
  }
}
