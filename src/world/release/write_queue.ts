const MOST_RUNNING = 16;

/** Runs a bounded number of writes at once; after a failure it starts no more. */
export class WriteQueue {
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | null = null;

  /**
   * Starts a write as soon as there is room.
   *
   * @throws What an earlier write failed with
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
   * @throws What the first failed write failed with
   */
  async settle(): Promise<void> {
    await Promise.all(this.#running);
    this.#assertSound();
  }

  #assertSound(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }
}
