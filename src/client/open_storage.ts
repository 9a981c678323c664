import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { homedir } from "node:os";
import { instantOf } from "../base/contract/instant.ts";
import { describe } from "../base/contract/violation.ts";
import { StorageError } from "../base/errors.ts";
import { Store, type StoreOptions } from "../base/store/store.ts";
import { openTemporaryFolder } from "../base/disk/temporary_folder.ts";
import { isLoopback } from "../base/contract/http/loopback.ts";
import type { Clock } from "./transport/clock.ts";
import {
  type Ledger,
  openLedger,
  openMemoryLedger,
  removeEndedLedgers,
} from "./transport/allowance/ledger.ts";
import type { Environment } from "../base/runtime/state_home.ts";
import type { ConnectOptions } from "./connect_options.ts";
import { refuseAddress } from "../base/arguments/refuse_address.ts";

// Names that folderNameOf() gives to loopback hosts.
const LOCAL_LEDGER = /^https?-(localhost|[^_]+\.localhost|127\.\d+\.\d+\.\d+|_1)[_-]/;

/** Storage of a connection on this machine. */
export interface OpenStorage {
  /** Store that receives everything first. */
  readonly store: Store;
  /** Spending of the account. */
  readonly ledger: Ledger;
  /** Closes the ledger, and removes a temporary store. */
  close(): Promise<void>;
}

/** Owner of the storage. */
export interface StorageContext {
  /** Removes keys from a text. */
  readonly redact: (text: string) => string;
  /** Hash that identifies the account in the ledger; `null` without a key, with a ledger in memory. */
  readonly accountHash: string | null;
  /** Base address of the service. */
  readonly origin: string;
  /** Environment variables. */
  readonly environment: Environment;
  /** Clock for times that the store records. */
  readonly clock: Clock;
}

/** Opens store and ledger of a connection, in the folders of the options or in the user's cache directory. */
export async function openStorage(
  context: StorageContext,
  options: Pick<ConnectOptions, "store" | "cacheDir" | "fetch">,
): Promise<OpenStorage> {
  const { accountHash, origin, environment } = context;
  for (const name of ["store", "cacheDir"] as const) assertPath(name, options[name]);
  if (options.store !== undefined) await assertStoreFolder(options.store);
  const cache = options.cacheDir ?? cacheFolder(environment);
  const isEmbedded = options.fetch !== undefined;
  const isLocal = isLoopback(new URL(origin).hostname);
  const isTemporary = options.store === undefined && options.cacheDir === undefined &&
    (isEmbedded || isLocal);
  const service = folderNameOf(origin);
  const temporary = isTemporary ? await openTemporaryFolder("store") : null;
  const folder = temporary?.path ?? options.store ?? join(cache, "stores", service);
  const store = await openStore(folder, context, { durable: !isTemporary });
  const ledgers = join(cache, "ledgers");
  const isShared = accountHash !== null && !(isEmbedded && options.cacheDir === undefined);
  const sweep = async () => {
    if (!isShared || !isLocal) return;
    // Local servers usually get a new port, and so a new ledger, at each start.
    await removeEndedLedgers(ledgers, (name) => LOCAL_LEDGER.test(name), context.clock.now());
  };
  await sweep();
  const ledger = isShared
    ? await openLedger(join(ledgers, `${service}-${accountHash}.sqlite`))
    : openMemoryLedger();
  return {
    store,
    ledger,
    close: async () => {
      ledger.close();
      temporary?.remove();
      await sweep();
    },
  };
}

function assertPath(name: string, folder: string | undefined): void {
  refuseAddress(`use the option ${name}`, folder);
  if (folder === undefined || !/^~($|[/\\])/.test(folder)) return;
  throw new StorageError(
    `Cannot use ${name} ${describe(folder)}: expected a path without ~, which only a shell ` +
      "expands to the home directory; use the full path, or join it to homedir() of node:os",
  );
}

// Hidden names do not count: files of a file manager, a repository, a store that another process is creating.
async function assertStoreFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const other = names.find((name) => !name.startsWith("."));
  if (other === undefined || names.includes("store.json")) return;
  const found = `${describe(other)}${names.length === 1 ? "" : " and more"}`;
  throw new StorageError(
    `Cannot use the store ${folder}: expected a store, or an empty or new folder, got one without ` +
      `store.json that contains ${found}; connect with another folder`,
  );
}

async function openStore(
  folder: string,
  { origin, clock, redact }: StorageContext,
  options: StoreOptions,
): Promise<Store> {
  const info = {
    format: 1,
    kind: "recording",
    description: `Received from ${origin}`,
    // Each check says whether its numbers are synthetic; before the first answer it is unknown.
    synthetic: false,
    complete: null,
    origin: { service: origin, since: instantOf(clock.now()) },
  } as const;
  const store = await Store.create(folder, info, options).catch((cause) => {
    if (!(cause instanceof StorageError)) throw cause;
    throw new StorageError(redact(`${cause.message}; connect with another store or cacheDir`));
  });
  const { service } = store.info.origin;
  if (service === undefined || service === origin) return store;
  // A view that the store proves is not requested again, so a store of another service would return its numbers.
  throw new OtherServiceError(
    `Cannot use the store ${store.path}: expected a store of answers from ${origin}, ` +
      `got one from ${service}; connect with another store`,
    String(service),
  );
}

/** The store has answers of another service. */
export class OtherServiceError extends StorageError {
  /** Address of the other service. */
  readonly service: string;

  constructor(message: string, service: string) {
    super(message);
    this.service = service;
  }
}

/**
 * The library's folder in the user's cache directory.
 *
 * That is `XDG_CACHE_HOME` if it is an absolute path, as the XDG base directory specification requires; else `~/.cache`.
 */
export function cacheFolder(environment: Environment): string {
  const { XDG_CACHE_HOME: cacheHome = "" } = environment;
  const base = isAbsolute(cacheHome) ? cacheHome : join(homedir(), ".cache");
  return join(base, "scoreframe");
}

/** Folder name of a service: scheme, host, port and path in characters that every file system accepts. */
export function folderNameOf(origin: string): string {
  const { host, pathname, protocol } = new URL(origin);
  const path = pathname === "/" ? "" : pathname;
  return `${protocol.slice(0, -1)}-${host}${path}`.replace(/[^A-Za-z0-9.-]+/g, "_");
}
