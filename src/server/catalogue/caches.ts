import { statSync } from "node:fs";

// Two changes within one tick of the file system's clock share their time: young folders are read again.
const SETTLED_AFTER_MS = 100;
// Under load many requests share one check of the folder; writing a file takes longer than this.
const LOOK_AGAIN_AFTER_MS = 1;

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

/**
 * Cached content of a folder, read again when the folder's modification time changes.
 *
 * The time is read synchronously, which takes about ten microseconds; an asynchronous call takes several times as long. New
 * files of another process are served at once.
 */
export class FolderCache<Content> {
  readonly #path: string | null;
  readonly #read: () => Promise<Content>;
  #content: Content | undefined;
  #changedMs: number | undefined;
  #lookedMs = -Infinity;

  /**
   * @param path The folder; `null` if reading it is as fast as reading its time
   * @param read Reads its content
   */
  constructor(path: string | null, read: () => Promise<Content>) {
    this.#path = path;
    this.#read = read;
  }

  /** Current content of the folder. */
  get(): Content | Promise<Content> {
    const lookMs = performance.now();
    if (this.#content !== undefined && lookMs - this.#lookedMs < LOOK_AGAIN_AFTER_MS) {
      return this.#content;
    }
    this.#lookedMs = lookMs;
    if (this.#path === null) return this.#reload(undefined);
    const changedMs = statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs;
    if (this.#content !== undefined && this.#changedMs === changedMs) return this.#content;
    const isSettled = changedMs !== undefined && Date.now() - changedMs > SETTLED_AFTER_MS;
    return this.#reload(isSettled ? changedMs : undefined);
  }

  async #reload(changedMs: number | undefined): Promise<Content> {
    const content = await this.#read();
    this.#content = changedMs === undefined && this.#path !== null ? undefined : content;
    this.#changedMs = changedMs;
    return content;
  }
}
