import { statSync } from "node:fs";

// Two changes within one tick of the file system's clock share their time: young folders are read again.
const SETTLED_AFTER_MS = 100;
// Under load many requests share one look at the folder; putting a file takes longer than this.
const LOOK_AGAIN_AFTER_MS = 1;

/**
 * Last reading of a folder, repeated when the folder's modification time says that names changed.
 *
 * The time is asked for synchronously: that costs some ten microseconds, an asynchronous call several times as
 * much. What another process puts into the store is served at once.
 */
export class FolderCache<Content> {
  readonly #path: string | null;
  readonly #read: () => Promise<Content>;
  #content: Content | undefined;
  #changedMs: number | undefined;
  #lookedMs = -Infinity;

  /**
   * @param path The folder; `null` if reading it costs no more than looking at its time
   * @param read Reads its content
   */
  constructor(path: string | null, read: () => Promise<Content>) {
    this.#path = path;
    this.#read = read;
  }

  /** The folder's content as of now. */
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
