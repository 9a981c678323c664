import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { cacheFolder } from "../../client/open_storage.ts";
import { type OpenContext, openContext } from "../../client/open_context.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { JournalEntry } from "../../base/contract/http/journal_entry.ts";
import { encodeRelayMark, RELAY_HEADER } from "../../base/contract/http/header.ts";
import { StorageError } from "../../base/errors.ts";
import { putTextFile, readTextFile, removeLeftBehind } from "../../base/disk/files.ts";
import { onDisk, storageErrorOf } from "../../base/disk/on_disk.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import { Catalogue } from "../../server/catalogue/catalogue.ts";
import { LruCache } from "../../server/catalogue/caches.ts";
import { ScoreRepresentations } from "../../server/catalogue/score_representations.ts";
import { FaultPlan } from "../../server/faults/fault_plan.ts";
import { Front, type ListenOptions, type ScoreListener } from "../../server/http/front.ts";
import type { FrontHandler } from "../../server/http/http_server.ts";
import { Journal } from "../../server/journal/journal.ts";
import type { ApiReply, ApiRequest } from "../../server/message/message.ts";
import { PACKAGE_VERSION } from "../../base/contract/limits.ts";
import { Dispatcher } from "../../server/pipeline/dispatcher.ts";
import { EMBEDDED_SERVER, ReplyWriter } from "../../server/pipeline/reply_writer.ts";
import type { PipelineParts } from "../../server/pipeline/pipeline_parts.ts";
import { DEFAULT_TIMES } from "../../server/server_times.ts";
import { ServerClock } from "../../server/timeline/clock.ts";
import { Timeline } from "../../server/timeline/timeline.ts";
import { followChecks } from "./follow_checks.ts";
import type { StoredCheck } from "../../base/store/scores/check_file.ts";
import { Activity } from "./page/relay_status.ts";
import { RelayPage } from "./page/relay_page.ts";
import { RelayContents } from "./relay_contents.ts";
import { DEFAULT_LATEST_AGE_MS, DEFAULT_LEASE_MS, type RelayOptions } from "./relay_options.ts";
import { type Asker, ownAsker } from "./upstream/asker.ts";
import { Upstream, type UpstreamTimes } from "./upstream/upstream.ts";
import { Spending } from "./user/spending.ts";
import { RelayAccess, UserBook } from "./user/user_book.ts";
import { UserFile } from "./user/user_file.ts";
import { type UserAdmission, UserGate } from "./user/user_gate.ts";

const RELAY_SERVER = `scoreframe-relay/${PACKAGE_VERSION}`;
// The relay reports a wait of a minute; its client, which knows its caller's limits, waits.
const PATIENCE = { maxWaitMs: 2_000 } as const;
// One proof per quarter of an hour: four files an hour, and any instant before the last of them costs no request.
const PROOF_SPACING_MS = 900_000;
const LEFT_BEHIND_MS = 60_000;
// Each takes a few hundred bytes.
const MAX_PROOFS = 20_000;

interface OpenParts {
  /** Key at the start; `undefined` for that of the environment. */
  readonly apiKey: string | undefined;
  readonly opened: OpenContext;
  readonly lock: { close(): void };
  readonly spending: Spending;
  /** Folder of the account's ledger. */
  readonly ledgers: string;
}

/**
 * Serves the whole API to the colleagues of a desk from one account; only requests that the store cannot answer go to the
 * service.
 */
export class Relay {
  /** Requests of users, with their answers and cost. */
  readonly journal: Journal;
  /** The service, behind the ordinary client. */
  readonly upstream: Upstream;
  /** Users of the relay. */
  readonly users: UserFile;
  /** Password of the page until this relay ends; it has the form of a key, so that it is masked wherever a key is. */
  readonly pageToken: string = `relay_live_${randomBytes(24).toString("hex")}`;
  readonly #activity = new Activity();
  readonly #closing = new AbortController();
  readonly #book: UserBook;
  /** Handler of requests, in process and over sockets. */
  readonly handler: FrontHandler;
  readonly #front: Front;
  readonly #options: RelayOptions & UpstreamTimes;
  readonly #parts: OpenParts;
  #key: string | undefined;
  #following: Promise<void> | undefined;

  private constructor(options: RelayOptions, parts: OpenParts) {
    const { context } = parts.opened;
    const { latestAgeMs = DEFAULT_LATEST_AGE_MS, leaseMs = DEFAULT_LEASE_MS } = options;
    this.#parts = parts;
    this.#key = parts.apiKey;
    this.#options = { ...options, latestAgeMs, leaseMs };
    this.upstream = new Upstream({ ...context, proofSpacingMs: PROOF_SPACING_MS }, {
      times: this.#options,
      folders: [context.store.path, options.state, parts.ledgers],
      renewKey: (isDue) => this.#renewKey(isDue),
      onState: (line) => options.onState?.(line),
    });
    this.users = new UserFile(options.state);
    this.#book = new UserBook(this.users);
    const onEntry = (entry: JournalEntry) => this.#record(entry);
    this.journal = new Journal({ ...options.journal, onEntry });
    const times = { ...DEFAULT_TIMES, ...options.times };
    const pipeline = this.#pipeline(times.requestDeadlineMs);
    const dispatcher = new Dispatcher({
      parts: pipeline,
      journal: this.journal,
      realNow: context.clock.now,
    });
    this.handler = {
      answer: (request) => this.#answer(dispatcher, request),
      refuse: (refusal, request) => dispatcher.refuse(refusal, request),
    };
    this.#front = new Front(this.handler, times);
  }

  /**
   * Opens a relay, without listening.
   *
   * @throws {StorageError} If a folder cannot be used, or another relay of the account runs on this machine
   * @throws {TypeError} If key or address are missing or do not fit each other
   */
  static async open(options: RelayOptions): Promise<Relay> {
    const { store, environment = process.env } = options;
    const cacheDir = options.cacheDir ?? cacheFolder(environment);
    const { keyFile, baseUrl, account, fetch, now, sleep, random } = options;
    const apiKey = keyFile === undefined ? options.apiKey : readKey(keyFile);
    const given = { apiKey, baseUrl, account, fetch, now, sleep, random };
    const connect = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    );
    const folders = { store, cacheDir, environment };
    const opened = await openContext(
      { ...connect, ...PATIENCE, ...folders, offline: false, userAgent: "scoreframe-relay" },
      [],
      (origin, keyHash) => relayAccount(cacheDir, origin, keyHash),
    );
    let lock: { close(): void } | null = null;
    try {
      const [ledgers, { path }] = [join(cacheDir, "ledgers"), opened.context.store];
      // An account has several keys, and a key is replaced: the store is the same.
      const locks = [
        join(ledgers, `.relay-${opened.account.accountHash ?? ""}`),
        join(path, ".relay"),
      ];
      lock = await lockAll(locks);
      await onDisk(
        `make ${options.state}`,
        () => mkdir(options.state, { recursive: true, mode: 0o700 }),
      );
      await sweep([path, options.state, ledgers]);
      const spending = new Spending(options.state);
      return new Relay(options, { apiKey, opened, lock, spending, ledgers });
    } catch (error) {
      lock?.close();
      await opened.close();
      throw error;
    }
  }

  /** The relay as the sender of requests for everybody. */
  get asker(): Asker {
    return ownAsker((user, what) =>
      this.#parts.spending.spend(user, what, this.upstream.clock.nowMs())
    );
  }

  /** Answers a request in process, without a socket; may be passed as a function. */
  readonly fetch = (request: Request): Promise<Response> => this.#front.fetch(request);

  /** Listens on a socket. */
  listen(options: ListenOptions = {}): Promise<ScoreListener> {
    return this.#front.listen(options);
  }

  /** Requests the licence, so that its factors and the service's time are known before the first request of a user. */
  async confirm(): Promise<readonly Factor[]> {
    const { entries } = await this.upstream.licence(this.asker);
    return entries.map(({ factor }) => factor);
  }

  /** Takes the key from its file, and asks the service again if it refused the account or sent wrong bytes. */
  async renew(): Promise<readonly Factor[]> {
    this.upstream.renew();
    return await this.confirm();
  }

  /** Requests each check when it is due, until the relay is closed. */
  follow(): void {
    this.#following ??= followChecks({
      upstream: this.upstream,
      asker: this.asker,
      clock: this.#parts.opened.context.clock,
      signal: this.#closing.signal,
    });
  }

  /** Waits for requests in flight, stores their answers, and closes everything. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#front.close();
    await this.#following;
    await this.upstream.settle();
    await sweep([this.#parts.opened.context.store.path, this.#options.state, this.#parts.ledgers]);
    await this.#parts.opened.close();
    this.#parts.spending.close();
    this.#parts.lock.close();
  }

  #pipeline(requestDeadlineMs: number): PipelineParts {
    const { opened: { context: { store, clock } }, spending } = this.#parts;
    const { upstream } = this;
    const { latestAgeMs } = this.#options;
    const timeline = new Timeline([]);
    const catalogue = new Catalogue(store, () => timeline);
    const proofs = new LruCache<StoredCheck>(MAX_PROOFS);
    const parts = { store, catalogue, proofs, upstream };
    const userOf = (name: string) => this.#book.named(name);
    const page = this.#page();
    return {
      access: new RelayAccess({ book: this.#book, upstream, own: this.asker, latestAgeMs }),
      quotas: new UserGate({ upstream, spending, clock, userOf }),
      // Only that gate admits requests here.
      contents: (_, admission) => new RelayContents(parts, admission as UserAdmission),
      page: (path, request) => page.answer(path, request),
      representations: new ScoreRepresentations(),
      engine: null,
      faults: new FaultPlan([], 0),
      clock: new ServerClock(() => upstream.clock.nowMs()),
      writer: writerOf(upstream),
      environment: null,
      requestDeadlineMs,
    };
  }

  #page(): RelayPage {
    const { opened: { context: { store, clock, exchange } }, spending } = this.#parts;
    const { leaseMs } = this.#options;
    const users = () => this.#book.users;
    const own = { upstream: this.upstream, activity: this.#activity, origin: exchange.origin };
    const isAdmin = (key: string) => this.#book.find(key)?.admin === true;
    const parts = { ...own, store, spending, users, clock, leaseMs };
    return new RelayPage(parts, this.pageToken, isAdmin);
  }

  #renewKey(isDue: boolean): boolean {
    const { keyFile } = this.#options;
    const key = keyFile === undefined ? this.#key : readKey(keyFile);
    if (key === this.#key && !isDue) return false;
    this.#parts.opened.renew(key);
    this.#key = key;
    return true;
  }

  #record(entry: JournalEntry): void {
    this.#activity.record(entry);
    this.#options.journal?.onEntry?.(entry);
    if (entry.account === null || entry.code !== null) return;
    try {
      this.#parts.spending.answered(entry.account, this.upstream.clock.nowMs());
    } catch (error) {
      // These counts are for display only, so a full disk must not prevent an answer.
      this.upstream.disk.learn(error);
    }
  }

  async #answer(dispatcher: Dispatcher, request: ApiRequest): Promise<ApiReply> {
    await this.#book.refresh();
    return await dispatcher.answer(request);
  }
}

/**
 * The account of the relays of a service on this machine: that of the first key, so that another key of the account, or the next
 * one, counts in the same ledger and meets the same lock. Two accounts of one service are told apart by their names.
 */
export async function relayAccount(
  cacheDir: string,
  origin: string,
  keyHash: string,
): Promise<string> {
  const path = join(cacheDir, "ledgers", `.account-${sha256Hex(origin).slice(0, 16)}`);
  return await onDisk(`keep the account of the relay in ${path}`, async () => {
    await putTextFile(path, keyHash, { durable: true });
    return await readTextFile(path) || keyHash;
  });
}

/** Removes what killed relays were writing: a transfer without a byte for so long has ended (section 8). */
async function sweep(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
    const within = entries.filter((entry) => entry.isDirectory());
    const all = [folder, ...within.map(({ parentPath, name }) => join(parentPath, name))];
    for (const one of all) await removeLeftBehind(one, LEFT_BEHIND_MS);
  }
}

function readKey(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    throw storageErrorOf(`read the key in ${path}`, cause);
  }
}

function writerOf(upstream: Upstream): ReplyWriter {
  const { lease } = upstream;
  return new ReplyWriter({
    isSynthetic: () => lease.last?.isSynthetic ?? false,
    isStopped: () => upstream.account().isClockStopped ?? false,
    // The provenance of a frame names an embedded server behind the relay.
    server: () => lease.last?.isEmbedded === true ? EMBEDDED_SERVER : RELAY_SERVER,
    unadmitted: [[RELAY_HEADER, encodeRelayMark({ spent: 0, ageSeconds: null })]],
  });
}

/**
 * Takes locks on this machine, which the system releases when its process ends.
 *
 * @throws {StorageError} If another relay holds one of them
 */
async function lockAll(paths: readonly string[]): Promise<{ close(): void }> {
  const files: Deno.FsFile[] = [];
  const close = () => files.forEach((file) => file.close());
  try {
    for (const path of paths) {
      const isOurs = await onDisk(`lock ${path}`, async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        const file = await Deno.open(path, { create: true, write: true });
        files.push(file);
        return await file.tryLock(true);
      });
      if (!isOurs) throw new StorageError(ANOTHER_RELAY);
    }
    return { close };
  } catch (error) {
    close();
    throw error;
  }
}

const ANOTHER_RELAY =
  "Cannot start the relay: expected no other relay for this account or this store on this machine, got one that is " +
  "running; point the users to that relay, or put this one behind it: set SCOREFRAME_URL to its address, and " +
  "SCOREFRAME_API_KEY to a key that it issued; of two accounts, start each with its own --account NAME";
