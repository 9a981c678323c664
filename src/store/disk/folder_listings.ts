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
  readonly #known = new Map<string, Listing<Entry>>();

  /** @param toEntries What the names of a folder stand for; they come in no order */
  constructor(toEntries: (names: readonly string[], path: string) => readonly Entry[]) {
    this.#toEntries = toEntries;
  }

  /** The entries of a folder; none if it does not exist. */
  async list(path: string): Promise<readonly Entry[]> {
    const status = statusOf(path);
    if (status === null) return [];
    const known = this.#known.get(path);
    if (known?.changedNs === status.mtimeNs) return known.entries;
    const entries = this.#toEntries(await readdir(path), path);
    const isSettled = Date.now() - Number(status.mtimeMs) > SETTLED_AFTER_MS;
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
