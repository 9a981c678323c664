import { statSync } from "node:fs";

// Two changes within one tick of the file system's clock share their time: young folders are read again.
const SETTLED_AFTER_MS = 100;

/**
 * What was last read from a folder, read again when the folder's modification time says that names changed.
 *
 * The time is asked for synchronously: that costs a few microseconds, an asynchronous call ten times as much,
 * and it is done for every request, so that what another process puts into the store is served at once.
 */
export class FolderCache<Content> {
  readonly #path: string;
  readonly #read: () => Promise<Content>;
  #content: Content | undefined;
  #changedNs: bigint | undefined;

  constructor(path: string, read: () => Promise<Content>) {
    this.#path = path;
    this.#read = read;
  }

  /** The folder's content as of now. */
  get(): Content | Promise<Content> {
    const status = statSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const changedNs = status?.mtimeNs;
    if (this.#content !== undefined && this.#changedNs === changedNs) return this.#content;
    const isSettled = status === undefined ||
      Date.now() - Number(status.mtimeMs) > SETTLED_AFTER_MS;
    return this.#reload(isSettled && status !== undefined ? changedNs : undefined);
  }

  async #reload(changedNs: bigint | undefined): Promise<Content> {
    const content = await this.#read();
    this.#content = changedNs === undefined ? undefined : content;
    this.#changedNs = changedNs;
    return content;
  }
}
