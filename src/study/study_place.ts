import { parseWorld } from "../base/contract/http/header.ts";
import { readdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { connect } from "../client/connect.ts";
import type { FactorApi } from "../client/factor_api.ts";
import type { Environment } from "../base/runtime/state_home.ts";
import { epochMsOf, type Instant, instantOf } from "../base/contract/instant.ts";
import { OtherServiceError } from "../client/open_storage.ts";
import { IntegrityError, ScoreframeError, StorageError } from "../base/errors.ts";
import { openTemporaryFolder } from "../base/disk/temporary_folder.ts";
import { withFlight, withFolder } from "../base/disk/with_flight.ts";
import { commandLine } from "../base/runtime/command_line.ts";
import { LAYOUT, sha256Hex } from "../base/store/layout.ts";
import { Store } from "../base/store/store.ts";
import type { MarkedStudy } from "../base/runtime/export_mark.ts";
import { encodeLock } from "./lock/lock_text.ts";
import { currentEnvironment } from "./current_environment.ts";
import { addFacts } from "./lock/add_facts.ts";
import type { LockFacts, StudyLock } from "./lock/lock.ts";
import { lastEntries } from "./lock/chain.ts";
import { chainEntry, type NewEntry } from "./lock/entry.ts";
import { recallEntries, rememberEntries } from "./hold_out/machine_record.ts";
import { type TimeLimit, timeLimit } from "./hold_out/time_limit.ts";
import { changeLock, readLockFile } from "./lock/lock_file.ts";
import { refusingFetch } from "./replay/refusals.ts";
import type { StudyMode, StudyOptions } from "./study_options.ts";

// Never sent: a replay has no network.
const NO_KEY = "svc_test_replay_without_network";
// Longer than the transfer of a release may take, but finite in case the other process has stopped.
const LONGEST_FLIGHT_MS = 180_000;
const EMPTY = { sets: [], views: [], absences: [], releases: [], inputs: [], ignore: [] };

/** The folder of a study with its lock, its store, and two connections over the store. */
export class StudyPlace {
  /** Folder of the study. */
  readonly folder: string;
  /** The mode, which decides if it may load. */
  readonly mode: StudyMode;
  /** Names of the registered tests whose hold-outs this study opened. */
  readonly opened: Set<string> = new Set();
  readonly #options: Omit<StudyOptions, "asOf" | "mode">;
  readonly #wanted: Instant | null;
  readonly #opened: Promise<FactorApi>[] = [];
  /** Opens the ordinary client over the store, without a network. */
  readonly replay: () => Promise<FactorApi> = once(() => this.#open(this.#connectReplay()));
  /** Opens the ordinary client over the store, with the service. */
  readonly live: () => Promise<FactorApi> = once(() => this.#open(this.#connectLive()));
  readonly #time = once(() => this.#pin());
  #loading: FactorApi | null = null;
  #lock: StudyLock | null;
  // In the mode `update`, the lock has an earlier time until this run moves it.
  #isPinned: boolean;

  /** @param place Folder, mode, lock and options, as read by `openStudy()` */
  constructor(place: {
    readonly folder: string;
    readonly mode: StudyMode;
    readonly lock: StudyLock | null;
    readonly asOf: Instant | null;
    readonly options: Omit<StudyOptions, "asOf" | "mode">;
  }) {
    this.folder = place.folder;
    this.mode = place.mode;
    this.#lock = place.lock;
    this.#isPinned = place.lock !== null && place.mode !== "update";
    this.#wanted = place.asOf;
    this.#options = place.options;
  }

  /** Name of the study: that of its folder. */
  get name(): string {
    return basename(this.folder);
  }

  /** Folder of its store. */
  get storeFolder(): string {
    return join(this.folder, "store");
  }

  /** Its lock, as last read or written by this process; `null` before the first load. */
  get lock(): StudyLock | null {
    return this.#lock;
  }

  /** Its name and the seal of its lock, for exported files; `null` before the first load. */
  get mark(): MarkedStudy | null {
    const { name, lock } = this;
    return lock === null ? null : { name, seal: sha256Hex(encodeLock(lock)) };
  }

  /** `true` if the next load asks the service for the study's time. */
  get isTimeless(): boolean {
    return this.mode !== "frozen" && !this.#isPinned;
  }

  /** The lock with a time: its own, otherwise the caller's `asOf`, otherwise the service's present time. */
  async pinned(): Promise<StudyLock> {
    return this.#isPinned ? this.#lock! : await this.#time();
  }

  #pinTo(lock: StudyLock): StudyLock {
    this.#isPinned = true;
    return this.#lock = lock;
  }

  /** Reads the lock again: another notebook may have added to it. */
  async refresh(): Promise<StudyLock> {
    const lock = await this.pinned();
    const before = this.#lock;
    const read = await readLockFile(this.folder);
    if (read === null) return lock;
    // A load that ended meanwhile has a newer lock.
    if (this.#lock !== before) return this.#lock!;
    if (read.lock.asOf !== lock.asOf) throw movedError(this.folder, lock.asOf, read.lock.asOf);
    return this.#pinTo(read.lock);
  }

  /** Adds facts to the lock, and returns when they are on the disk. */
  async add(facts: LockFacts): Promise<void> {
    const { asOf } = await this.pinned();
    const added = await changeLock(this.folder, (lock) => {
      const known = lock ?? this.lock!;
      if (known.asOf !== asOf) throw movedError(this.folder, asOf, known.asOf);
      return addFacts(known, facts);
    });
    this.#pinTo(added);
  }

  /**
   * Adds an entry to the registered tests, behind the last ones and those that only this machine's own record has; `null`
   * adds none.
   */
  async append(entryOf: (lock: StudyLock) => NewEntry | null): Promise<StudyLock> {
    const { asOf } = await this.pinned();
    const changed = await changeLock(this.folder, async (lock) => {
      if ((lock ?? this.lock!).asOf !== asOf) throw movedError(this.folder, asOf, lock!.asOf);
      const known = await this.withRecord(lock ?? this.lock!);
      const entry = entryOf(known);
      if (entry === null) return known;
      const last = lastEntries(known.registered);
      // The clock of a service may be corrected; times have the order in which lines were written.
      const at = [entry.at, ...last.map((other) => other.at)].toSorted().at(-1)!;
      const added = chainEntry({ ...entry, at }, last.map(({ sha256 }) => sha256).toSorted());
      return { ...known, registered: [...known.registered, added] };
    });
    await rememberEntries(this.#environment, this.folder, changed);
    return this.#pinTo(changed);
  }

  /** A lock with the registered tests and looks that this machine recorded and the lock lacks. */
  async withRecord(lock: StudyLock): Promise<StudyLock> {
    const { lost } = await recallEntries(this.#environment, this.folder, lock);
    return lost.length === 0 ? lock : { ...lock, registered: [...lock.registered, ...lost] };
  }

  get #environment(): Environment {
    return this.#options.environment ?? process.env;
  }

  /** The time through which its verbs show data. */
  async limit(): Promise<TimeLimit> {
    return timeLimit(await this.pinned(), this.opened);
  }

  /**
   * Runs a load, and protects its data from garbage collection until they are in the lock. A frozen study may be writing the
   * derived file of a release.
   */
  async whileLoading<Result>(run: () => Promise<Result>): Promise<Result> {
    return await withFolder(this.storeFolder, run, { isShared: true });
  }

  /** Runs a request while no other process over this study runs the same. */
  async inFlight<Result>(question: string, run: () => Promise<Result>): Promise<Result> {
    const maxWaitMs = LONGEST_FLIGHT_MS;
    return await withFlight({ folder: this.storeFolder, question, maxWaitMs }, run);
  }

  /** The store; it exists after the first load. */
  openStore(): Promise<Store> {
    return Store.open(this.storeFolder);
  }

  #open(opening: Promise<FactorApi>): Promise<FactorApi> {
    this.#opened.push(opening);
    return opening;
  }

  /** A connection with its own store to the address in the environment, for a service that has moved. */
  async elsewhere(): Promise<ElsewhereConnection> {
    const store = await openTemporaryFolder("moved");
    const api = await connect({ ...this.#options, store: store.path });
    const { origin } = (await Store.open(store.path)).info;
    const close = async () => {
      await api.close();
      store.remove();
    };
    return { api, origin: String(origin.service), [Symbol.asyncDispose]: close };
  }

  /** The connection to the service, if anything was loaded; `null` before. */
  get loading(): FactorApi | null {
    return this.#loading;
  }

  /** Closes both connections. */
  async close(): Promise<void> {
    const opened = this.#opened.map(async (api) => await (await api.catch(() => null))?.close());
    await Promise.all(opened);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #connectReplay(): Promise<FactorApi> {
    const { now = Date.now, logger } = this.#options;
    // A restored study has the same numbers, although from another address of the service.
    const store = await this.openStore().catch(() => null);
    return await connect({
      // The study's time must be past, because a client asks for the latest check otherwise.
      now: () => Math.max(now(), epochMsOf(this.lock!.asOf) + 1),
      ...(logger && { logger }),
      apiKey: NO_KEY,
      baseUrl: String(store?.info.origin.service ?? this.lock!.service),
      fetch: refusingFetch(() => this.lock!.absences),
      store: this.storeFolder,
      maxRetries: 0,
      environment: {},
    });
  }

  async #connectLive(): Promise<FactorApi> {
    const baseUrl = this.#options.baseUrl ??
      (this.#options.fetch === undefined ? undefined : this.lock?.service);
    const options = {
      ...this.#options,
      ...(baseUrl !== undefined && { baseUrl }),
      store: this.storeFolder,
    };
    try {
      return this.#loading = await connect(options);
    } catch (error) {
      if (!await forgetEmptyStore(this.folder, this.lock, error)) {
        throw movedService(this.folder, this.lock, error as Error);
      }
      return this.#loading = await connect(options);
    }
  }

  async #pin(): Promise<StudyLock> {
    if (this.mode === "frozen") {
      throw new ScoreframeError(
        `Cannot open the frozen study ${this.folder}: expected a study.lock.json, got none; a run with ` +
          "SCOREFRAME_STUDY_MODE=auto creates it",
      );
    }
    // Creates the store, in which processes that start the same study find each other.
    await this.live();
    return await this.inFlight("the time of the study", () => this.#pinAlone());
  }

  async #pinAlone(): Promise<StudyLock> {
    const found = this.mode === "auto" ? (await readLockFile(this.folder))?.lock ?? null : null;
    if (found !== null && (this.#wanted === null || found.asOf === this.#wanted)) {
      return this.#pinTo(found);
    }
    const { now, ...told } = await this.askService();
    const asOf = this.#wanted ?? now;
    if (asOf > now) throw aheadError(this.folder, asOf, now);
    const service = String((await this.openStore()).info.origin.service);
    const environment = await currentEnvironment();
    const pinned = await changeLock(this.folder, (lock) => {
      if (lock === null) return { ...EMPTY, registered: [], ...told, asOf, service, environment };
      if (this.mode === "update" && asOf > lock.asOf) {
        return { ...lock, asOf, world: told.world ?? lock.world, environment };
      }
      // Another notebook was first, and its time is the study's.
      if (this.#wanted === null || lock.asOf === this.#wanted) return lock;
      throw movedError(this.folder, this.#wanted, lock.asOf);
    });
    return this.#pinTo(pinned);
  }

  /** Facts about the service, for one request: its time and the world that it serves. */
  async askService(): Promise<ServiceFacts> {
    const { response } = await (await this.live()).factors().withResponse();
    const { headers, receivedAt } = response!;
    const dateMs = Date.parse(headers.get("Date") ?? "");
    return {
      now: Number.isNaN(dateMs) ? receivedAt : instantOf(dateMs),
      world: parseWorld(headers),
      synthetic: headers.get("X-Scoreframe-Synthetic") === "true" ? true : null,
    };
  }
}

/** A connection to another address, for a comparison with the service of a study; its store is removed with it. */
export interface ElsewhereConnection extends AsyncDisposable {
  /** The connection. */
  readonly api: FactorApi;
  /** Its address. */
  readonly origin: string;
}

/** Facts about a service. */
type ServiceFacts = { readonly now: Instant } & Pick<StudyLock, "world" | "synthetic">;

/** The error for a time that the service has not reached. */
export function aheadError(folder: string, asOf: Instant, now: Instant): ScoreframeError {
  return new ScoreframeError(
    `Cannot open the study ${folder}: expected asOf in the past, got ${asOf} at ${now} by the service's clock; ` +
      "use an earlier one, or omit asOf",
  );
}

/** The error for a lock that another process moved to another time. */
export function movedError(folder: string, opened: Instant, found: Instant): IntegrityError {
  return new IntegrityError(
    `Cannot continue the study ${folder}: expected the time ${opened} at which it was opened, got ${found}, ` +
      "because its lock was moved meanwhile; open it again",
  );
}

/**
 * Removes the store of a study whose first load failed, so that a mistyped address is not kept. A store with any content stays.
 *
 * @returns `true` if it was removed
 */
async function forgetEmptyStore(folder: string, lock: StudyLock | null, error: unknown) {
  if (lock !== null || !(error instanceof StorageError)) return false;
  const store = join(folder, "store");
  const names = await readdir(store, { recursive: true }).catch((): string[] => []);
  const isBare = names.includes(LAYOUT.info) &&
    names.every((name) => name === LAYOUT.info || name.startsWith("."));
  if (!isBare) return false;
  await rm(join(store, LAYOUT.info), { force: true });
  return true;
}

/**
 * The error of a connection whose address differs from that of the store, with advice for a study; any other error as it is.
 */
function movedService(folder: string, lock: StudyLock | null, error: Error): Error {
  if (lock === null || !(error instanceof OtherServiceError)) return error;
  return new StorageError(
    `Cannot load into the study ${folder}: expected its service ${error.service}, got another address; set SCOREFRAME_URL to ` +
      `it, or, if the service has moved, let ${commandLine()} study restore --follow compare the new one with the lock`,
    { cause: error },
  );
}

// Makes a value once; after a failure, such as that of a network, it is made again.
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | null = null;
  return () =>
    making ??= make().catch((error) => {
      making = null;
      throw error;
    });
}
