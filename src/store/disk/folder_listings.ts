import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { isCode } from "./files.ts";

// Two changes within one tick of the file system's clock share their time: young listings are not kept.
const SETTLED_AFTER_MS = 100;

interface Listing<Entry> {
  readonly changedNs: bigint;
  readonly entries: readonly Entry[];
}

/**
 * What the names in some folders stand for. Reading and understanding them costs about a millisecond per thousand; the
 * folder's time tells when they changed.
 */
export class FolderListings<Entry> {
  readonly #toEntries: (names: readonly string[], path: string) => readonly Entry[];
  readonly #now: () => number;
  readonly #known = new Map<string, Listing<Entry>>();

  /**
   * @param toEntries What the names of a folder stand for; they come in no order
   * @param now Clock of the machine, epoch milliseconds
   */
  constructor(
    toEntries: (names: readonly string[], path: string) => readonly Entry[],
    now: () => number = Date.now,
  ) {
    this.#toEntries = toEntries;
    this.#now = now;
  }

  /** The entries of a folder; none if it does not exist. */
  async list(path: string): Promise<readonly Entry[]> {
    // Before the folder is looked at: however long the looking and the reading take, nothing that comes after shares its time.
    const nowMs = this.#now();
    const status = statusOf(path);
    if (status === null) return [];
    const known = this.#known.get(path);
    if (known?.changedNs === status.mtimeNs) return known.entries;
    const entries = this.#toEntries(await readdir(path), path);
    const isSettled = nowMs - Number(status.mtimeMs) > SETTLED_AFTER_MS;
    if (isSettled) this.#known.set(path, { changedNs: status.mtimeNs, entries });
    return entries;
  }
}

// At once: a thread would take ten times as long to be asked.
function statusOf(path: string) {
  try {
    return statSync(path, { bigint: true });
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}
