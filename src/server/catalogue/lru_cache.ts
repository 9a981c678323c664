/** A cache that evicts the least recently used entries once their total weight exceeds a limit. */
export class LruCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly weight: number }>();
  readonly #maxWeight: number;
  #weight = 0;

  /** @param maxWeight Largest total weight, usually in bytes */
  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** Returns the value of a key, which becomes the most recently used, or `undefined`. */
  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value, unless it is heavier than the limit. */
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

  /** Total weight. */
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
