import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";
import type { ScoreRows } from "../contract/scores/score_rows.ts";
import { ContractViolation } from "../contract/violation.ts";
import { IntegrityError, StorageError } from "../errors.ts";
import { ArchivedFiles } from "./archive/archived_files.ts";
import { isCode, putTextFile, readTextFile } from "./disk/files.ts";
import { onDisk } from "./disk/on_disk.ts";
import { encodeStoredCheck, parseStoredCheck, type StoredCheck } from "./scores/check_file.ts";
import { ARCHIVE_FILE, instantOfName, LAYOUT } from "./layout.ts";
import { listReleases, type ReleaseStaging, stageRelease } from "./release/release_folder.ts";
import type { StoredRelease } from "./release/release_file.ts";
import { encodeStoredSet, parseStoredSet, type StoredSet } from "./scores/set_file.ts";
import { encodeStoreInfo, parseStoreInfo, type StoreInfo } from "./store_info.ts";

const SETTLED_AFTER_MS = 100;

/** How a store is opened. */
export interface StoreOptions {
  /**
   * Whether every write is flushed to the disk before it counts as done.
   *
   * @default true
   */
  readonly durable?: boolean;
}

/** One check file, known by its name alone. */
export interface CheckEntry {
  /** Completion time of the check. */
  readonly lastCheckedAt: Instant;
  /** File name. */
  readonly name: string;
}

/** What a view file records: the check that the service gave for an instant. */
export interface StoredView {
  /** The instant that was asked for. */
  readonly at: Instant;
  /** File name of the check that was given. */
  readonly check: string;
}

/**
 * A directory of score sets, checks, views and releases: cache, recording and server fixture in one format.
 *
 * Every file appears complete under its name or not at all, and a name that exists is never rewritten, so that
 * two processes may write at once. A folder of sets or checks may hold an archive that stands for many small files.
 */
export class Store {
  /** Folder of the store. */
  readonly path: string;
  /** What the store is and where it came from. */
  readonly info: StoreInfo;
  readonly #durable: boolean;
  readonly #archived: ArchivedFiles;
  readonly #listings = new Map<string, { readonly changedNs: bigint; readonly names: string[] }>();

  private constructor(path: string, info: StoreInfo, options: StoreOptions) {
    this.path = path;
    this.info = info;
    this.#durable = options.durable ?? true;
    this.#archived = new ArchivedFiles(path);
  }

  /**
   * Opens a store that exists.
   *
   * @throws {StorageError} If the folder is not a store, is one of another version, or cannot be read
   */
  static async open(path: string, options: StoreOptions = {}): Promise<Store> {
    const action = `open the store "${path}"`;
    const text = await onDisk(action, () => readTextFile(join(path, LAYOUT.info)));
    if (text !== null) return new Store(path, readInfo(path, text), options);
    const isThere = await stat(path).then(() => true, () => false);
    const found = isThere ? "a folder without it" : "no such folder";
    throw new StorageError(
      `Cannot ${action}: expected a folder with a store.json, got ${found}; choose the folder of a store`,
    );
  }

  /**
   * Opens the store of a folder, and makes it from `info` first if the folder is none.
   *
   * @throws {StorageError} If the folder cannot be made or written, or is a store of another version
   */
  static async create(path: string, info: StoreInfo, options: StoreOptions = {}): Promise<Store> {
    await onDisk(`make the store "${path}"`, async () => {
      await mkdir(path, { recursive: true });
      const durable = options.durable ?? true;
      await putTextFile(join(path, LAYOUT.info), encodeStoreInfo(info), { durable });
    });
    return await Store.open(path, options);
  }

  /**
   * Keeps a score set under its id; doing so again with the same content changes nothing.
   *
   * @returns Whether the set was new
   * @throws {IntegrityError} If the id is known with other numbers; the message shows the first difference
   * @throws {StorageError} If the file cannot be written
   */
  async putSet(set: StoredSet): Promise<boolean> {
    const text = encodeStoredSet(set);
    if (await this.#put(LAYOUT.set(set.factor, set.snapshotId), text)) return true;
    const known = await this.readSet(set.factor, set.snapshotId);
    if (known !== null && encodeStoredSet(known) === text) return false;
    throw new IntegrityError(describeConflict(set, known));
  }

  /**
   * Keeps a check; the first receipt of the same content counts. Returns the file name.
   *
   * @throws {StorageError} If the file cannot be written
   */
  async putCheck(stored: StoredCheck): Promise<string> {
    const { name, text } = encodeStoredCheck(stored);
    await this.#put(LAYOUT.check(stored.check.factor, name), text);
    return name;
  }

  /**
   * Keeps which check the service gave for an instant. One that a latest request saw stale and one of the same time as
   * it was recorded are the same check.
   *
   * @throws {IntegrityError} If another check is recorded for the same instant
   * @throws {StorageError} If the file cannot be written
   */
  async putView(factor: Factor, view: StoredView): Promise<void> {
    const text = `${JSON.stringify({ at: view.at, check: view.check })}\n`;
    if (await this.#put(LAYOUT.view(factor, view.at), text)) return;
    const known = await this.readView(factor, view.at);
    if (known === null || known.check === view.check) return;
    if (await this.#isSeenStale(factor, known, view)) return;
    throw new IntegrityError(
      `Cannot keep the ${factor} view at ${view.at}: expected ${known.check} as in the store, because a ` +
        `view is final once given, got ${view.check}`,
    );
  }

  /**
   * A score set by its id, or `null` if the store does not have it.
   *
   * @throws {IntegrityError} If the file is not what was kept
   */
  readSet(factor: Factor, snapshotId: string): Promise<StoredSet | null> {
    return this.#read(LAYOUT.set(factor, snapshotId), (text) => {
      const set = parseStoredSet(text);
      if (set.snapshotId === snapshotId) return set;
      throw new ContractViolation("$.snapshot_id", `"${snapshotId}"`, set.snapshotId);
    });
  }

  /**
   * A check by its file name, or `null` if the store does not have it.
   *
   * @throws {IntegrityError} If the file is not what was kept
   */
  readCheck(factor: Factor, name: string): Promise<StoredCheck | null> {
    return this.#read(LAYOUT.check(factor, name), (text) => {
      const stored = parseStoredCheck(text);
      const required = encodeStoredCheck(stored).name;
      if (required === name) return stored;
      throw new ContractViolation("the name", `"${required}" for its content`, name);
    });
  }

  /**
   * The recorded view at exactly this instant, or `null`.
   *
   * @throws {IntegrityError} If the file is not what was kept
   */
  readView(factor: Factor, at: Instant): Promise<StoredView | null> {
    return this.#read(LAYOUT.view(factor, at), (text) => {
      const { check }: { readonly check?: unknown } = JSON.parse(text);
      if (typeof check === "string") return { at, check };
      throw new ContractViolation("$.check", "the file name of a check", check);
    });
  }

  /** Ids of all score sets of a factor, in no particular order. */
  async listSets(factor: Factor): Promise<readonly string[]> {
    const names = await this.#list(LAYOUT.sets(factor), ".json");
    return names.map((name) => name.slice(0, -".json".length));
  }

  /** All checks of a factor by time; reads names only. */
  async listChecks(factor: Factor): Promise<readonly CheckEntry[]> {
    const names = await this.#list(LAYOUT.checks(factor), ".json");
    return names.flatMap((name) => {
      const lastCheckedAt = instantOfName(name);
      return lastCheckedAt === null ? [] : [{ lastCheckedAt, name }];
    });
  }

  /** The instants of all recorded views of a factor, ascending; reads names only. */
  async listViews(factor: Factor): Promise<readonly Instant[]> {
    const names = await this.#list(LAYOUT.views(factor), ".json");
    return names.flatMap((name) => instantOfName(name) ?? []);
  }

  /**
   * All releases of a factor, the one available last at the end.
   *
   * @throws {IntegrityError} If the metadata of one are not what was kept
   */
  listReleases(factor: Factor): Promise<readonly StoredRelease[]> {
    return listReleases(this.#pathOf(LAYOUT.releases(factor)), factor);
  }

  /** Opens a place for the compressed file of a release that is about to be received. */
  stageRelease(factor: Factor): Promise<ReleaseStaging> {
    return stageRelease(this.#pathOf(LAYOUT.releases(factor)), factor, { durable: this.#durable });
  }

  /** The text of a set, a check or a view as it was kept, or `null`; the path is relative to the store's folder. */
  async readText(relative: string): Promise<string | null> {
    return await readTextFile(this.#pathOf(relative)) ?? await this.#archived.read(relative);
  }

  async #isSeenStale(factor: Factor, known: StoredView, view: StoredView): Promise<boolean> {
    if (instantOfName(known.check) !== instantOfName(view.check)) return false;
    const checks = [this.readCheck(factor, known.check), this.readCheck(factor, view.check)];
    return (await Promise.all(checks)).some((stored) => stored?.check.status === "stale");
  }

  // A name that exists is never written again, whether a file has it or an archive.
  async #put(relative: string, text: string): Promise<boolean> {
    if (this.#archived.has(relative)) return false;
    const path = this.#pathOf(relative);
    return await onDisk(`write ${path}`, () => putTextFile(path, text, { durable: this.#durable }));
  }

  // What the client receives and what it reads here become the same frames: a damaged file must not.
  async #read<Content>(
    relative: string,
    parse: (text: string) => Content,
  ): Promise<Content | null> {
    const path = this.#pathOf(relative);
    const text = await onDisk(`read ${path}`, () => this.readText(relative));
    if (text === null) return null;
    try {
      return parse(text);
    } catch (error) {
      const { message } = error as Error;
      throw new IntegrityError(
        `Cannot use ${path}: expected the file as it was kept, got a changed one (${message}); remove ` +
          "it, and it is received again when it is needed",
        { cause: error },
      );
    }
  }

  #pathOf(relative: string): string {
    return join(this.path, relative);
  }

  // Reading a folder's names costs about a millisecond per thousand; the folder's time tells when they changed.
  #list(folder: string, suffix: string): Promise<readonly string[]> {
    const path = this.#pathOf(folder);
    return onDisk(`list ${path}`, () => this.#listNow(folder, suffix));
  }

  async #listNow(folder: string, suffix: string): Promise<readonly string[]> {
    const path = this.#pathOf(folder);
    const status = await stat(path, { bigint: true }).catch((error) => {
      if (isCode(error, "ENOENT")) return null;
      throw error;
    });
    if (status === null) return [];
    const known = this.#listings.get(folder);
    if (known?.changedNs === status.mtimeNs) return known.names;
    const files = await readdir(path);
    if (files.includes(ARCHIVE_FILE)) files.push(...this.#archived.names(folder));
    const names = [...new Set(files)]
      .filter((name) => name.endsWith(suffix) && !name.startsWith("."))
      .sort();
    // Two changes within one tick of the file system's clock share their time: young listings are not kept.
    const isSettled = Date.now() - Number(status.mtimeMs) > SETTLED_AFTER_MS;
    if (isSettled) this.#listings.set(folder, { changedNs: status.mtimeNs, names });
    return names;
  }
}

function readInfo(path: string, text: string): StoreInfo {
  try {
    return parseStoreInfo(text);
  } catch (error) {
    throw new StorageError(
      `Cannot open the store "${path}": expected a store.json of format 1, got another ` +
        `(${(error as Error).message}); choose another folder, or use the version that wrote it`,
      { cause: error },
    );
  }
}

function describeConflict(set: StoredSet, known: StoredSet | null): string {
  const what = `Cannot keep the ${set.factor} set ${set.snapshotId}: a published set never changes`;
  if (known === null) return `${what}, its file in the store vanished`;
  if (known.factorVersion !== set.factorVersion || known.calculatedAt !== set.calculatedAt) {
    return `${what}, the store has ${known.factorVersion} of ${known.calculatedAt} ` +
      `and the service now gave ${set.factorVersion} of ${set.calculatedAt}`;
  }
  return `${what}, ${firstDifference(known.rows, set.rows)}`;
}

function firstDifference(stored: ScoreRows, received: ScoreRows): string {
  const i = received.tickers.findIndex((ticker, row) =>
    ticker !== stored.tickers[row] || received.scores[row] !== stored.scores[row]
  );
  const row = (rows: ScoreRows, at: number) =>
    at in rows.tickers ? `${rows.tickers[at]} ${rows.scores[at]}` : "no row";
  const at = i === -1 ? received.tickers.length : i;
  return `row ${at} is "${row(stored, at)}" in the store and "${row(received, at)}" now`;
}
