import { basename } from "node:path";
import { lastNotAfter } from "../contract/scores/last_not_after.ts";
import { isCode } from "./files.ts";

/** Form and order of the entries of folders. */
export interface ListingOptions<Entry> {
  /** Parses names, which are in no order; the entries are ascending by their key. */
  readonly toEntries: (names: readonly string[], folder: string) => readonly Entry[];
  /** Key of an entry; of two entries with the same key one is listed. */
  readonly keyOf: (entry: Entry) => string;
  /**
   * Clock of the machine, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
  /**
   * Number of entries from which a folder is large.
   *
   * @default 5000
   */
  readonly largeFrom?: number;
}

// Two changes within one tick of the file system's clock have the same time, so recent listings are in doubt.
const SETTLED_AFTER_MS = 100;
const LARGE_FROM = 5_000;
// Reading a large folder again takes at most this share of the time.
const READING_SHARE = 0.02;

interface Reading<Entry> {
  readonly done: Promise<readonly Entry[]>;
  /** Entries that this process added meanwhile. */
  readonly arrivals: Entry[];
}

/** The listing of one folder. It is in doubt if the folder's time may hide a change by another process. */
export class FolderListing<Entry> {
  readonly #path: string;
  readonly #options: ListingOptions<Entry>;
  #entries: readonly Entry[] | null = null;
  // The folder's time after the last change that the listing contains.
  #seenMs = -1;
  #isInDoubt = false;
  #nextReadingMs = 0;
  #reading: Reading<Entry> | null = null;
  #writing = 0;
  // False if another process changed the folder since it was read.
  #isComplete = false;

  /** @param path The folder */
  constructor(path: string, options: ListingOptions<Entry>) {
    this.#path = path;
    this.#options = options;
  }

  /** Entries of the folder; empty if it does not exist. */
  async list(): Promise<readonly Entry[]> {
    const changedMs = changedMsOf(this.#path);
    if (changedMs === null) return [];
    const entries = this.#entries;
    const isSeen = changedMs === this.#seenMs;
    if (entries !== null && isSeen && !this.#isInDoubt) return entries;
    const isOwn = isSeen || (this.#writing > 0 && this.#isComplete);
    if (entries === null || !isOwn || !this.#isLarge(entries)) return await this.#readAnew();
    const isDue = this.#reading === null && performance.now() >= this.#nextReadingMs;
    // Beside the requests; a failure is that of the next call that has to wait for a reading.
    if (isDue) this.#readAnew().catch(() => undefined);
    return entries;
  }

  /**
   * Runs a function that may write a new file into the folder.
   *
   * @param path Path of the file
   * @param write Returns `true` if it wrote the file
   */
  async adding(path: string, write: () => Promise<boolean>): Promise<boolean> {
    if (this.#writing++ === 0) {
      const isKnown = this.#entries !== null || this.#reading !== null;
      this.#isComplete = isKnown && changedMsOf(this.#path) === this.#seenMs;
    }
    let isNew = false;
    try {
      return isNew = await write();
    } finally {
      this.#writing--;
      if (this.#isComplete) this.#note(isNew ? [basename(path)] : []);
    }
  }

  #note(names: readonly string[]): void {
    this.#seenMs = changedMsOf(this.#path) ?? -1;
    this.#isInDoubt = true;
    const added = this.#options.toEntries(names, this.#path);
    this.#reading?.arrivals.push(...added);
    if (this.#entries !== null) this.#entries = this.#with(this.#entries, added);
  }

  #isLarge(entries: readonly Entry[]): boolean {
    return entries.length >= (this.#options.largeFrom ?? LARGE_FROM);
  }

  async #readAnew(): Promise<readonly Entry[]> {
    // What began before this call may lack what another process wrote before it.
    await this.#reading?.done.catch(() => undefined);
    this.#reading ??= this.#read();
    return await this.#reading.done;
  }

  #read(): Reading<Entry> {
    const nowMs = (this.#options.now ?? Date.now)();
    this.#seenMs = changedMsOf(this.#path) ?? -1;
    this.#isComplete = true;
    this.#isInDoubt = nowMs - this.#seenMs <= SETTLED_AFTER_MS;
    const arrivals: Entry[] = [];
    return { done: this.#fill(arrivals), arrivals };
  }

  async #fill(arrivals: readonly Entry[]): Promise<readonly Entry[]> {
    const beganMs = performance.now();
    try {
      const names: string[] = [];
      // Node's readdir takes four times as long.
      for await (const { name } of Deno.readDir(this.#path)) names.push(name);
      return this.#entries = this.#with(this.#options.toEntries(names, this.#path), arrivals);
    } catch (error) {
      this.#entries = null;
      throw error;
    } finally {
      this.#reading = null;
      const endedMs = performance.now();
      this.#nextReadingMs = endedMs + (endedMs - beganMs) / READING_SHARE;
    }
  }

  #with(entries: readonly Entry[], added: readonly Entry[]): readonly Entry[] {
    const { keyOf } = this.#options;
    return added.reduce((all, entry) => {
      const key = keyOf(entry);
      const last = lastNotAfter(all, key, keyOf);
      const isKnown = last >= 0 && keyOf(all[last]!) === key;
      return isKnown ? all : all.toSpliced(last + 1, 0, entry);
    }, entries);
  }
}

// Synchronous, because asking a thread takes ten times as long; node:fs takes twice as long. Two changes within a millisecond are
// as in doubt as two within a tick.
function changedMsOf(path: string): number | null {
  try {
    return Deno.statSync(path).mtime?.getTime() ?? -1;
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}
