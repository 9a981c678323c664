import { basename, dirname } from "node:path";
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
   * The folders; injected for tests.
   *
   * @default those of the disk
   */
  readonly disk?: ListedDisk;
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

/** Access to folders, and a clock for the time between readings. */
export interface ListedDisk {
  /** Time of a folder's last change, epoch milliseconds; `null` if it does not exist. */
  readonly changedMs: (path: string) => number | null;
  /** The names in a folder. */
  readonly names: (path: string) => Promise<readonly string[]>;
  /** A clock that is never set, milliseconds. */
  readonly steadyMs: () => number;
}

/** Entries that a reading found or will find; replaced as a whole, never changed. */
interface Known<Entry> {
  /** The entries; of a reading that lasts, those that this process added meanwhile. */
  readonly entries: readonly Entry[];
  /** The folder's time of the last change that they contain. */
  readonly seenMs: number;
  /** True if that time may hide a change by another process. */
  readonly isInDoubt: boolean;
  /** True if nothing but this process's own writes changed the folder when the writing began. */
  readonly isComplete: boolean;
}

/** The listing of one folder: this process's own writes are in it, and others' at the latest when a large folder is read again. */
export class FolderListing<Entry> {
  readonly #path: string;
  readonly #options: ListingOptions<Entry>;
  readonly #disk: ListedDisk;
  #known: Known<Entry> | null = null;
  #coming: Known<Entry> | null = null;
  #reading: Promise<readonly Entry[]> | null = null;
  #nextReadingMs = 0;
  #writing = 0;

  /** @param path The folder */
  constructor(path: string, options: ListingOptions<Entry>) {
    this.#path = path;
    this.#options = options;
    this.#disk = options.disk ?? DISK;
  }

  /** Entries of the folder; empty if it does not exist. */
  async list(): Promise<readonly Entry[]> {
    const changedMs = this.#disk.changedMs(this.#path);
    if (changedMs === null) return [];
    const known = this.#known;
    const isSeen = changedMs === known?.seenMs;
    if (known !== null && isSeen && !known.isInDoubt) return known.entries;
    const isOwn = isSeen || (this.#writing > 0 && known?.isComplete === true);
    if (known === null || !isOwn || !this.#isLarge(known.entries)) return await this.#readAnew();
    const isDue = this.#reading === null && this.#disk.steadyMs() >= this.#nextReadingMs;
    // Beside the requests; a failure is that of the next call that has to wait for a reading.
    if (isDue) this.#readAnew().catch(() => undefined);
    return known.entries;
  }

  /**
   * Runs a function that may write a new file into the folder.
   *
   * @param path Path of the file
   * @param write Returns `true` if it wrote the file, `false` if another process did
   */
  async adding(path: string, write: () => Promise<boolean>): Promise<boolean> {
    if (this.#writing++ === 0) {
      const changedMs = this.#disk.changedMs(this.#path);
      const begun = (known: Known<Entry> | null) =>
        known && { ...known, isComplete: known.seenMs === changedMs };
      this.#known = begun(this.#known);
      this.#coming = begun(this.#coming);
    }
    let names: readonly string[] = [];
    try {
      const isNew = await write();
      // Whoever wrote it, it is there: another process's file of this name is not seen by the folder's time afterwards.
      names = [basename(path)];
      return isNew;
    } finally {
      this.#writing--;
      const seenMs = this.#disk.changedMs(this.#path) ?? -1;
      const added = this.#options.toEntries(names, this.#path);
      const after = (known: Known<Entry> | null) =>
        known && {
          ...known,
          entries: this.#with(known.entries, added),
          ...(known.isComplete && { seenMs, isInDoubt: true }),
        };
      this.#known = after(this.#known);
      this.#coming = after(this.#coming);
    }
  }

  #isLarge(entries: readonly Entry[]): boolean {
    return entries.length >= (this.#options.largeFrom ?? LARGE_FROM);
  }

  async #readAnew(): Promise<readonly Entry[]> {
    // What began before this call may lack what another process wrote before it.
    await this.#reading?.catch(() => undefined);
    this.#reading ??= this.#read();
    return await this.#reading;
  }

  async #read(): Promise<readonly Entry[]> {
    const beganMs = this.#disk.steadyMs();
    const nowMs = (this.#options.now ?? Date.now)();
    const seenMs = this.#disk.changedMs(this.#path) ?? -1;
    const isInDoubt = nowMs - seenMs <= SETTLED_AFTER_MS;
    this.#coming = { entries: [], seenMs, isInDoubt, isComplete: true };
    try {
      const names = await this.#disk.names(this.#path);
      const read = this.#options.toEntries(names, this.#path);
      this.#known = { ...this.#coming, entries: this.#with(read, this.#coming.entries) };
      return this.#known.entries;
    } catch (error) {
      this.#known = null;
      throw error;
    } finally {
      this.#coming = null;
      this.#reading = null;
      const endedMs = this.#disk.steadyMs();
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

const DISK: ListedDisk = {
  // Synchronous, because asking a thread takes ten times as long; node:fs takes twice as long. Two changes within a millisecond
  // are as in doubt as two within a tick.
  changedMs(path) {
    try {
      return Deno.statSync(path).mtime?.getTime() ?? -1;
    } catch (error) {
      if (isCode(error, "ENOENT")) return null;
      throw error;
    }
  },
  async names(path) {
    const names: string[] = [];
    // Node's readdir takes four times as long.
    for await (const { name } of Deno.readDir(path)) names.push(name);
    return names;
  },
  steadyMs: () => performance.now(),
};

/**
 * Cached listings of folders. Reading and parsing names takes two to five milliseconds per thousand; the folder's
 * modification time shows if they changed, and what this process writes is added without reading.
 */
export class FolderListings<Entry> {
  readonly #options: ListingOptions<Entry>;
  readonly #known = new Map<string, FolderListing<Entry>>();

  /** @param options Form and order of the entries */
  constructor(options: ListingOptions<Entry>) {
    this.#options = options;
  }

  /**
   * Entries of a folder; empty if it does not exist.
   *
   * The listing of a large folder into which this process just wrote may lack files that another process added at the
   * same moment; it is read again beside the requests, within some seconds.
   */
  list(path: string): Promise<readonly Entry[]> {
    return this.#of(path).list();
  }

  /** Entries of a folder, read anew. */
  listAnew(path: string): Promise<readonly Entry[]> {
    this.#known.delete(path);
    return this.list(path);
  }

  /**
   * Runs a function that may write a new file into a folder.
   *
   * @param path Path of the file
   * @param write Returns `true` if it wrote the file
   */
  adding(path: string, write: () => Promise<boolean>): Promise<boolean> {
    return this.#of(dirname(path)).adding(path, write);
  }

  #of(path: string): FolderListing<Entry> {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const listing = new FolderListing(path, this.#options);
    this.#known.set(path, listing);
    return listing;
  }
}
