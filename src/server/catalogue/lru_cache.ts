/** A cache that forgets what was not used for longest once the weights of its entries exceed a limit. */
export class LruCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  /** @param maxWeight Sum of weights that is kept, usually bytes */
  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** The value of a key, which becomes the most recently used, or `undefined`. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Keeps a value; one that is heavier than the whole limit is not kept. */
  set(key: string, value: Value, options: { readonly weight: number }): void {
    this.#remove(key);
    if (options.weight > this.#maxWeight) return;
    this.#entries.set(key, { value, weight: options.weight });
    this.#weight += options.weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#maxWeight) break;
      this.#remove(oldest);
    }
  }

  /** Sum of the weights that are kept. */
  get weight(): number {
    return this.#weight;
  }

  #remove(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
