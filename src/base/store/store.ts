import { existsSync } from "node:fs";
import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Factor } from "../contract/factor.ts";
import type { Instant } from "../contract/instant.ts";
import { ContractViolation } from "../contract/violation.ts";
import { IntegrityError, StorageError } from "../errors.ts";
import { ArchivedFiles } from "./archive.ts";
import {
  assertNoKey,
  exists,
  putFile,
  putTextFile,
  readSmallFile,
  readTextFile,
} from "../disk/files.ts";
import { onDisk } from "../disk/on_disk.ts";
import {
  encodeStoredCheck,
  parseStoredCheck,
  type StoredCheck,
  storedCheckName,
} from "./scores/check_file.ts";
import { instantOfName, LAYOUT, PACKED } from "./layout.ts";
import { readReleases, type ReleaseStaging, stageRelease } from "./release/release_folder.ts";
import type { StoredRelease } from "./release/release_file.ts";
import {
  encodeStoredSet,
  isPackedWhenKept,
  packText,
  type StoredSet,
  unpackBytes,
} from "./scores/set_file.ts";
import { SetReader } from "./scores/set_reader.ts";
import { encodeStoreInfo, parseStoreInfo, type StoreInfo } from "./store_info.ts";
import { hasSeal } from "./sealed_text.ts";
import { StoreListings } from "./store_listings.ts";
import type { CheckEntry, StoredView, StoreReader } from "./store_reader.ts";
import type { ScoreRows } from "../contract/scores/score_rows.ts";

const CARRIAGE_RETURN = 13;

/** Options of opening a store. */
export interface StoreOptions {
  /**
   * Flushes every write to the disk before it counts as done.
   *
   * @default true
   */
  readonly durable?: boolean;
}

/**
 * A directory of score sets, checks, views and releases: cache, recording and server fixture share one format.
 *
 * Every file appears under its name complete or not at all, and no file is ever rewritten, so that two processes may write
 * at the same time. A folder of sets or checks may have an archive with many small files.
 */
export class Store implements StoreReader {
  /** Folder of the store. */
  readonly path: string;
  /** Kind and origin of the store. */
  readonly info: StoreInfo;
  /** `true` if its files have seals: those of version 0.1.0 have none. */
  readonly isSealed: boolean;
  readonly #durable: boolean;
  readonly #archived: ArchivedFiles;
  readonly #readers = { ecpnd: new SetReader(), ecqdi: new SetReader() };
  readonly #listings: StoreListings;

  private constructor(path: string, text: string, options: StoreOptions) {
    this.path = path;
    this.info = readInfo(path, text);
    this.isSealed = hasSeal(text);
    this.#durable = options.durable ?? true;
    this.#archived = new ArchivedFiles(path);
    this.#listings = new StoreListings(path, this.#archived);
  }

  /**
   * Opens an existing store.
   *
   * @throws {StorageError} If the folder is not a store, has another version, or cannot be read
   */
  static async open(path: string, options: StoreOptions = {}): Promise<Store> {
    const action = `open the store "${path}"`;
    const text = await onDisk(action, () => readTextFile(join(path, LAYOUT.info)));
    if (text !== null) return new Store(path, text, options);
    const isThere = await stat(path).then(() => true, () => false);
    const found = isThere ? "a folder without it" : "no such folder";
    throw new StorageError(
      `Cannot ${action}: expected a folder with a store.json, got ${found}; choose the folder of a store`,
    );
  }

  /**
   * Opens the store in a folder, and creates it from `info` if there is none.
   *
   * @throws {StorageError} If the folder cannot be created or written, or is a store of another version
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
   * Store of a reader.
   *
   * @throws {TypeError} If it was not opened by this library
   */
  static of(reader: StoreReader): Store {
    if (reader instanceof Store) return reader;
    throw new TypeError(
      "Cannot write to the store: expected a store from openStore() or a world, got another object; " +
        "open it with openStore()",
    );
  }

  /**
   * Writes a score set under its id, a large one compressed; writing the same content again changes nothing.
   *
   * @returns `true` if the set was new
   * @throws {IntegrityError} If the id exists with other numbers; the message shows the first difference
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
   * Writes a check, unless its content is known already. Returns the file name.
   *
   * @throws {StorageError} If the file cannot be written
   */
  async putCheck(stored: StoredCheck): Promise<string> {
    const { name, text } = encodeStoredCheck(stored);
    await this.#put(LAYOUT.check(stored.check.factor, name), text);
    return name;
  }

  /**
   * Records the check that the service returned for an instant. A check with a `stale` status from a latest request equals the
   * recorded check of the same time.
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
        `view never changes, got ${view.check}; report both check names to the service; the ` +
        "store keeps its own",
    );
  }

  async readSet(factor: Factor, snapshotId: string): Promise<StoredSet | null> {
    const parse = (content: Uint8Array) => {
      const set = this.#readers[factor].read(content);
      if (set.snapshotId === snapshotId) return set;
      throw new ContractViolation("$.snapshot_id", `"${snapshotId}"`, set.snapshotId);
    };
    const [packed, plain] = LAYOUT.eitherSet(factor, snapshotId);
    const read = (path: string) => this.#readAs(path, () => this.readContent(path), parse);
    const set = await read(packed);
    if (set === null) return await read(plain);
    if (!existsSync(this.#pathOf(plain)) && !this.#archived.has(plain)) return set;
    const other = await read(plain);
    if (other === null || encodeStoredSet(other) === encodeStoredSet(set)) return set;
    const difference = firstDifference([set.rows, "in the one"], [other.rows, "in the other"]);
    throw new IntegrityError(
      `Cannot use the ${factor} set ${snapshotId}: expected its files ${packed} and ${plain} in ${this.path} to contain ` +
        `the same set, got two, ${difference}; remove the wrong one, or both, and it will be loaded again`,
    );
  }

  /**
   * Files of a score set, relative to the store, in order of reading; empty if the store lacks it or has it in an archive.
   * Two files exist only if a user copied one in.
   */
  async setFiles(factor: Factor, snapshotId: string): Promise<readonly string[]> {
    const paths = LAYOUT.eitherSet(factor, snapshotId);
    const areThere = await Promise.all(
      paths.map((path) => onDisk(`read ${path}`, () => exists(this.#pathOf(path)))),
    );
    return paths.filter((_, i) => areThere[i]);
  }

  readCheck(factor: Factor, name: string): Promise<StoredCheck | null> {
    return this.#read(LAYOUT.check(factor, name), (text) => {
      const stored = parseStoredCheck(text, this.isSealed);
      const required = storedCheckName(stored.check);
      if (required === name) return stored;
      throw new ContractViolation("the name", `"${required}" for its content`, name);
    });
  }

  readView(factor: Factor, at: Instant): Promise<StoredView | null> {
    return this.#read(LAYOUT.view(factor, at), (text) => {
      const { check }: { readonly check?: unknown } = JSON.parse(text);
      if (typeof check === "string") return { at, check };
      throw new ContractViolation("$.check", "the file name of a check", check);
    });
  }

  listSets(factor: Factor): Promise<readonly string[]> {
    return this.#listings.sets(factor);
  }

  listChecks(factor: Factor): Promise<readonly CheckEntry[]> {
    return this.#listings.checks(factor);
  }

  /** Lists the checks of a factor like {@link Store.listChecks}, including any that another process has just added. */
  listChecksAnew(factor: Factor): Promise<readonly CheckEntry[]> {
    return this.#listings.checksAnew(factor);
  }

  listViews(factor: Factor): Promise<readonly Instant[]> {
    return this.#listings.views(factor);
  }

  listReleases(factor: Factor): Promise<readonly StoredRelease[]> {
    return readReleases(this.#pathOf(LAYOUT.releases(factor)), factor, this.isSealed);
  }

  /** Opens a staging folder for the compressed file of a release. */
  stageRelease(factor: Factor): Promise<ReleaseStaging> {
    return stageRelease(this.#pathOf(LAYOUT.releases(factor)), factor, { durable: this.#durable });
  }

  /** Text of the file of a set, check or view, or `null`; the name is relative to the store. */
  async readText(name: string): Promise<string | null> {
    const content = await this.readContent(name);
    return content && new TextDecoder().decode(content);
  }

  /** Bytes of that text. */
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

  // An existing name is never written again, be it a file or part of an archive.
  async #put(name: string, text: string): Promise<boolean> {
    if (this.#archived.has(name)) return false;
    const path = this.#pathOf(name);
    const write = () => putTextFile(path, text, { durable: this.#durable });
    return await onDisk(`write ${path}`, () => this.#listings.adding(name, write));
  }

  // Older stores have uncompressed sets of any size.
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
    const write = () => putFile(path, () => packText(text), options);
    return await onDisk(`write ${path}`, () => this.#listings.adding(packed, write));
  }

  #read<Value>(name: string, parse: (text: string) => Value): Promise<Value | null> {
    return this.#readAs(name, () => this.readText(name), parse);
  }

  // The content becomes frames, so a damaged file must be refused.
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
        `Cannot use ${path}: expected the file as it was written, got a changed one (${message}); remove ` +
          "it, and it will be loaded again when needed",
        { cause: error },
      );
    }
  }

  #pathOf(name: string): string {
    return join(this.path, name);
  }
}

// Git may have converted line endings; texts of a store contain no carriage returns.
function withPlainEnds(bytes: Uint8Array): Uint8Array {
  return bytes.includes(CARRIAGE_RETURN) ? bytes.filter((byte) => byte !== CARRIAGE_RETURN) : bytes;
}

function readInfo(path: string, text: string): StoreInfo {
  try {
    return parseStoreInfo(text);
  } catch (error) {
    const { message } = error as Error;
    const isLater = error instanceof ContractViolation && error.path === "store.json.format";
    const [expected, remedy] = isLater
      ? [
        "a store.json of format 1, got another",
        "use a version of scoreframe that reads it, such as the one that wrote it",
      ]
      : [
        "the store.json that was written, got a damaged one",
        "restore the file from git or a backup, or use another folder",
      ];
    throw new StorageError(
      `Cannot open the store "${path}": expected ${expected} (${message}); ${remedy}`,
      { cause: error },
    );
  }
}

function describeConflict(set: StoredSet, known: StoredSet | null): string {
  const what = `Cannot keep the ${set.factor} set ${set.snapshotId}: expected `;
  if (known === null) {
    return `${what}its file in the store, got none because it was removed during the call; load it again`;
  }
  const report =
    "; a published set never changes, so report it to the service; the store keeps its own";
  if (known.factorVersion !== set.factorVersion || known.calculatedAt !== set.calculatedAt) {
    return `${what}${known.factorVersion} of ${known.calculatedAt} as in the store, ` +
      `got ${set.factorVersion} of ${set.calculatedAt} from the service${report}`;
  }
  const difference = firstDifference([known.rows, "in the store"], [set.rows, "now"]);
  return `${what}the rows in the store, got others: ${difference}${report}`;
}

/** Rows and a phrase for their place. */
type PlacedRows = readonly [rows: ScoreRows, where: string];

/** Description of the first row in which two sets with one id differ. */
function firstDifference([rows, where]: PlacedRows, [others, there]: PlacedRows): string {
  const i = others.tickers.findIndex((ticker, row) =>
    ticker !== rows.tickers[row] || others.scores[row] !== rows.scores[row]
  );
  const row = ({ tickers, scores }: ScoreRows, at: number) =>
    at in tickers ? `${tickers[at]} ${scores[at]}` : "no row";
  const at = i === -1 ? others.tickers.length : i;
  return `row ${at} is "${row(rows, at)}" ${where} and "${row(others, at)}" ${there}`;
}
