/** A queue whose reader waits while it is empty. */
export class Mailbox<Item> {
  readonly #items: Item[] = [];
  #wake: (() => void) | null = null;

  /** Appends an item. */
  put(item: Item): void {
    this.#items.push(item);
    this.#wake?.();
    this.#wake = null;
  }

  /** Takes the first item; only one reader may wait at a time. */
  async take(): Promise<Item> {
    while (this.#items.length === 0) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    return this.#items.shift()!;
  }
}
