import { mkdir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";
import type { ScoreRows } from "../contract/scores/score_rows.ts";
import { ContractViolation } from "../contract/violation.ts";
import { IntegrityError, StorageError } from "../errors.ts";
import { ArchivedFiles } from "./archive/archived_files.ts";
import {
  assertNoKey,
  exists,
  putFile,
  putTextFile,
  readSmallFile,
  readTextFile,
} from "./disk/files.ts";
import { FolderListings } from "./disk/folder_listings.ts";
import { onDisk } from "./disk/on_disk.ts";
import { encodeStoredCheck, parseStoredCheck, type StoredCheck } from "./scores/check_file.ts";
import { ARCHIVE_FILE, instantOfName, LAYOUT, PACKED } from "./layout.ts";
import { listReleases, type ReleaseStaging, stageRelease } from "./release/release_folder.ts";
import type { StoredRelease } from "./release/release_file.ts";
import { encodeStoredSet, type StoredSet } from "./scores/set_file.ts";
import { SetReader } from "./scores/set_reader.ts";
import { isPackedWhenKept, packText, unpackBytes } from "./scores/set_text.ts";
import { encodeStoreInfo, parseStoreInfo, type StoreInfo } from "./store_info.ts";

const JSON_NAME = /\.json$/;
const CARRIAGE_RETURN = 13;
const SET_NAME = /\.json(\.gz)?$/;

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
  readonly #readers = { ecpnd: new SetReader(), ecqdi: new SetReader() };
  readonly #sets = new FolderListings((files, path) => idsOf(this.#namesOf(files, path)));
  readonly #checks = new FolderListings((files, path) => checksOf(this.#namesOf(files, path)));
  readonly #views = new FolderListings((files, path) => viewsOf(this.#namesOf(files, path)));

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
   * Keeps a score set under its id, a large one compressed; doing so again with the same content changes nothing.
   *
   * @returns Whether the set was new
   * @throws {IntegrityError} If the id is known with other numbers; the message shows the first difference
   * @throws {StorageError} If the file cannot be written
   */
  async putSet(set: StoredSet): Promise<boolean> {
    const text = encodeStoredSet(set);
    if (await this.#putSetText(set, text)) return true;
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
  async readSet(factor: Factor, snapshotId: string): Promise<StoredSet | null> {
    const parse = (content: Uint8Array) => {
      const set = this.#readers[factor].read(content);
      if (set.snapshotId === snapshotId) return set;
      throw new ContractViolation("$.snapshot_id", `"${snapshotId}"`, set.snapshotId);
    };
    for (const path of LAYOUT.eitherSet(factor, snapshotId)) {
      const set = await this.#readAs(path, () => this.readContent(path), parse);
      if (set !== null) return set;
    }
    return null;
  }

  /**
   * The files that hold a score set, relative to the store's folder, the one that is read first; none if the store does
   * not have it, or an archive stands for it. There are two only where somebody put them together.
   */
  async setFiles(factor: Factor, snapshotId: string): Promise<readonly string[]> {
    const paths = LAYOUT.eitherSet(factor, snapshotId);
    const areThere = await Promise.all(paths.map((path) => exists(this.#pathOf(path))));
    return paths.filter((_, i) => areThere[i]);
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
  listSets(factor: Factor): Promise<readonly string[]> {
    return this.#list(this.#sets, LAYOUT.sets(factor));
  }

  /** All checks of a factor by time; reads names only. */
  listChecks(factor: Factor): Promise<readonly CheckEntry[]> {
    return this.#list(this.#checks, LAYOUT.checks(factor));
  }

  /** The instants of all recorded views of a factor, ascending; reads names only. */
  listViews(factor: Factor): Promise<readonly Instant[]> {
    return this.#list(this.#views, LAYOUT.views(factor));
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

  /** The text of a set, a check or a view as it was kept, or `null`; the name is relative to the store's folder. */
  async readText(name: string): Promise<string | null> {
    const content = await this.readContent(name);
    return content && new TextDecoder().decode(content);
  }

  /** The bytes of that text. */
  async readContent(name: string): Promise<Uint8Array | null> {
    const bytes = readSmallFile(this.#pathOf(name));
    if (name.endsWith(PACKED)) return bytes && unpackBytes(bytes);
    return bytes ? withPlainEnds(bytes) : await this.#archived.read(name);
  }

  async #isSeenStale(factor: Factor, known: StoredView, view: StoredView): Promise<boolean> {
    if (instantOfName(known.check) !== instantOfName(view.check)) return false;
    const checks = [this.readCheck(factor, known.check), this.readCheck(factor, view.check)];
    return (await Promise.all(checks)).some((stored) => stored?.check.status === "stale");
  }

  // A name that exists is never written again, whether a file has it or an archive.
  async #put(name: string, text: string): Promise<boolean> {
    if (this.#archived.has(name)) return false;
    const path = this.#pathOf(name);
    return await onDisk(`write ${path}`, () => putTextFile(path, text, { durable: this.#durable }));
  }

  // A set of an older store has a file that is not compressed, whatever its size.
  async #putSetText({ factor, snapshotId }: StoredSet, text: string): Promise<boolean> {
    const [packed, plain] = LAYOUT.eitherSet(factor, snapshotId);
    const isPacked = isPackedWhenKept(text);
    const other = this.#pathOf(isPacked ? plain : packed);
    if (await onDisk(`write ${other}`, () => exists(other))) return false;
    if (!isPacked) return await this.#put(plain, text);
    if (this.#archived.has(plain)) return false;
    const path = this.#pathOf(packed);
    assertNoKey(path, text);
    const options = { durable: this.#durable };
    return await onDisk(`write ${path}`, () => putFile(path, () => packText(text), options));
  }

  #read<Value>(name: string, parse: (text: string) => Value): Promise<Value | null> {
    return this.#readAs(name, () => this.readText(name), parse);
  }

  // What is read here becomes frames, so that a damaged file must be refused.
  async #readAs<Content, Value>(
    name: string,
    read: () => Promise<Content | null>,
    parse: (content: Content) => Value,
  ): Promise<Value | null> {
    const path = this.#pathOf(name);
    try {
      const content = await onDisk(`read ${path}`, read);
      return content === null ? null : parse(content);
    } catch (error) {
      if (error instanceof StorageError || error instanceof IntegrityError) throw error;
      const { message } = error as Error;
      throw new IntegrityError(
        `Cannot use ${path}: expected the file as it was kept, got a changed one (${message}); remove ` +
          "it, and it is received again when it is needed",
        { cause: error },
      );
    }
  }

  #pathOf(name: string): string {
    return join(this.path, name);
  }

  // The names in a folder and in its archive, sorted; those of unfinished files are left out.
  #namesOf(files: readonly string[], path: string): readonly string[] {
    const archived = files.includes(ARCHIVE_FILE)
      ? this.#archived.names(relative(this.path, path))
      : [];
    return [...new Set([...files, ...archived])].filter((name) => !name.startsWith(".")).sort();
  }

  #list<Entry>(listings: FolderListings<Entry>, folder: string): Promise<readonly Entry[]> {
    const path = this.#pathOf(folder);
    return onDisk(`list ${path}`, () => listings.list(path));
  }
}

// Git may have given a text the line ends of another system; no text here has a carriage return of its own.
function withPlainEnds(bytes: Uint8Array): Uint8Array {
  return bytes.includes(CARRIAGE_RETURN) ? bytes.filter((byte) => byte !== CARRIAGE_RETURN) : bytes;
}

function idsOf(names: readonly string[]): readonly string[] {
  const ids = names.filter((name) => SET_NAME.test(name)).map((name) => name.replace(SET_NAME, ""));
  return [...new Set(ids)];
}

function checksOf(names: readonly string[]): readonly CheckEntry[] {
  return names.flatMap((name) => {
    const lastCheckedAt = JSON_NAME.test(name) ? instantOfName(name) : null;
    return lastCheckedAt === null ? [] : [{ lastCheckedAt, name }];
  });
}

function viewsOf(names: readonly string[]): readonly Instant[] {
  return names.flatMap((name) => JSON_NAME.test(name) ? instantOfName(name) ?? [] : []);
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
