const MOST_RUNNING = 16;

/** Runs a bounded number of writes at once, and starts none after a failure. */
export class WriteQueue {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  /**
   * Starts a write as soon as there is room.
   *
   * @throws The error of an earlier write
   */
  async add(write: () => Promise<unknown>): Promise<void> {
    while (this.#running.size >= MOST_RUNNING) await Promise.race(this.#running);
    this.#assertSound();
    const running: Promise<void> = write()
      .catch((error: unknown) => void (this.#failure ??= { error }))
      .then(() => void this.#running.delete(running));
    this.#running.add(running);
  }

  /**
   * Waits for all writes.
   *
   * @throws The error of the first write that failed
   */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
    this.#assertSound();
  }

  #assertSound(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
