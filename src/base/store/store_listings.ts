import { basename, dirname, join, relative } from "node:path";
import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";
import { FolderListings } from "../disk/folder_listing.ts";
import { onDisk } from "../disk/on_disk.ts";
import type { ArchivedFiles } from "./archive.ts";
import { ARCHIVE_FILE, instantOfName, LAYOUT } from "./layout.ts";
import type { CheckEntry } from "./store_reader.ts";

const JSON_NAME = /\.json$/;
const SET_NAME = /\.json(\.gz)?$/;

/** Names of the sets, checks and views of a store, read from its folders and archives. */
export class StoreListings {
  readonly #paths = new Map<string, string>();
  readonly #storePath: string;
  readonly #archived: ArchivedFiles;
  readonly #sets = new FolderListings({
    toEntries: (files, path) => idsOf(this.#namesOf(files, path)),
    keyOf: (id) => id,
  });
  readonly #checks = new FolderListings({
    toEntries: (files, path) =>
      this.#namesOf(files, path).flatMap((name) => {
        const lastCheckedAt = JSON_NAME.test(name) ? instantOfName(name) : null;
        return lastCheckedAt === null ? [] : [{ lastCheckedAt, name }];
      }),
    keyOf: ({ name }) => name,
  });
  readonly #views = new FolderListings({
    toEntries: (files, path) =>
      this.#namesOf(files, path).flatMap((name) =>
        JSON_NAME.test(name) ? instantOfName(name) ?? [] : []
      ),
    keyOf: (at) => at,
  });

  /**
   * @param storePath Folder of the store
   * @param archived Its archives
   */
  constructor(storePath: string, archived: ArchivedFiles) {
    this.#storePath = storePath;
    this.#archived = archived;
  }

  /** Ids of all sets of a factor. */
  sets(factor: Factor): Promise<readonly string[]> {
    return this.#onDisk(LAYOUT.sets(factor), (path) => this.#sets.list(path));
  }

  /** All checks of a factor, by time. */
  checks(factor: Factor): Promise<readonly CheckEntry[]> {
    return this.#onDisk(LAYOUT.checks(factor), (path) => this.#checks.list(path));
  }

  /** The same, read anew. */
  checksAnew(factor: Factor): Promise<readonly CheckEntry[]> {
    return this.#onDisk(LAYOUT.checks(factor), (path) => this.#checks.listAnew(path));
  }

  /** The instants of all views of a factor, ascending. */
  views(factor: Factor): Promise<readonly Instant[]> {
    return this.#onDisk(LAYOUT.views(factor), (path) => this.#views.list(path));
  }

  /**
   * Runs a function that may write a new set, check or view.
   *
   * @param name Name of the file, relative to the store
   * @param write Returns `true` if it wrote the file
   */
  adding(name: string, write: () => Promise<boolean>): Promise<boolean> {
    const kind = basename(dirname(name));
    const path = join(this.#storePath, name);
    if (kind === "sets") return this.#sets.adding(path, write);
    if (kind === "checks") return this.#checks.adding(path, write);
    return this.#views.adding(path, write);
  }

  // Sorted names in a folder and in its archive, without unfinished files.
  #namesOf(files: readonly string[], path: string): readonly string[] {
    const archived = files.includes(ARCHIVE_FILE)
      ? this.#archived.names(relative(this.#storePath, path))
      : [];
    const names = archived.length === 0 ? files : [...new Set([...files, ...archived])];
    return names.filter((name) => !name.startsWith(".")).sort();
  }

  #onDisk<Entry>(folder: string, list: (path: string) => Promise<Entry>): Promise<Entry> {
    const path = this.#pathOf(folder);
    return onDisk(`list ${path}`, () => list(path));
  }

  // A server lists a folder for every request, and join() takes 5 µs.
  #pathOf(folder: string): string {
    const known = this.#paths.get(folder);
    if (known !== undefined) return known;
    const path = join(this.#storePath, folder);
    this.#paths.set(folder, path);
    return path;
  }
}

function idsOf(names: readonly string[]): readonly string[] {
  const ids = names.filter((name) => SET_NAME.test(name)).map((name) => name.replace(SET_NAME, ""));
  return [...new Set(ids)];
}
