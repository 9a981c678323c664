import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { instantOf } from "../contract/instant.ts";
import { describe } from "../contract/violation.ts";
import { ContractError, StorageError } from "../errors.ts";
import { Store, type StoreOptions } from "../store/store.ts";
import { openTemporaryFolder } from "../store/disk/temporary_folder.ts";
import { isLoopback } from "../transport/wire/base_url.ts";
import type { Clock } from "../transport/clock.ts";
import type { Credential } from "../transport/wire/credential.ts";
import { type Ledger, openLedger, openMemoryLedger } from "../transport/allowance/ledger.ts";
import { cacheFolder, type Environment, folderNameOf } from "./cache_folder.ts";
import type { ConnectOptions } from "./connect_options.ts";

/** What a connection keeps on this machine. */
export interface OpenedPlaces {
  /** Where everything received goes first. */
  readonly store: Store;
  /** What the account has spent. */
  readonly ledger: Ledger;
  /** Closes the ledger, and removes a temporary store. */
  close(): Promise<void>;
}

/** Whose places they are. */
export interface PlacesContext {
  /** Key of the account. */
  readonly credential: Credential;
  /** Base address of the service. */
  readonly origin: string;
  /** Environment variables. */
  readonly environment: Environment;
  /** For the time that the store notes. */
  readonly clock: Clock;
}

/** Opens store and ledger of a connection, where the options say or in the user's cache directory. */
export async function openPlaces(
  context: PlacesContext,
  options: Pick<ConnectOptions, "store" | "cacheDir" | "fetch">,
): Promise<OpenedPlaces> {
  const { credential, origin, environment } = context;
  for (const name of ["store", "cacheDir"] as const) assertNoTilde(name, options[name]);
  if (options.store !== undefined) await assertStoreFolder(options.store);
  const cache = options.cacheDir ?? cacheFolder(environment);
  const isEmbedded = options.fetch !== undefined;
  const isLocal = isEmbedded || isLoopback(new URL(origin).hostname);
  const isTemporary = options.store === undefined && options.cacheDir === undefined && isLocal;
  const service = folderNameOf(origin);
  const temporary = isTemporary ? await openTemporaryFolder("store") : null;
  const folder = temporary?.path ?? options.store ?? join(cache, "stores", service);
  const store = await openStore(folder, context, { durable: !isTemporary });
  const ledger = isEmbedded && options.cacheDir === undefined
    ? openMemoryLedger()
    : await openLedger(join(cache, "ledgers", `${service}-${credential.accountHash}.sqlite`));
  return {
    store,
    ledger,
    close: () => {
      ledger.close();
      temporary?.remove();
      return Promise.resolve();
    },
  };
}

function assertNoTilde(name: string, folder: string | undefined): void {
  if (folder === undefined || !/^~($|[/\\])/.test(folder)) return;
  const given = `${name} ${describe(folder)}`;
  throw new ContractError(
    `Cannot use ${given}: a path is required in which ~ stands for nothing, because only a shell puts ` +
      "the home directory there; write it out, or join it to homedir() of node:os",
  );
}

// Of what is hidden nothing is lost: marks of a file manager, a repository, a store that another process just makes.
async function assertStoreFolder(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  const other = names.find((name) => !name.startsWith("."));
  if (other === undefined || names.includes("store.json")) return;
  const found = `${names.length === 1 ? "" : "among others "}${describe(other)}`;
  throw new ContractError(
    `Cannot use the store ${folder}: a store, or an empty or new folder is required, it has no ` +
      `store.json but ${found}; connect with another folder`,
  );
}

async function openStore(
  folder: string,
  context: PlacesContext,
  options: StoreOptions,
): Promise<Store> {
  try {
    const store = await Store.create(folder, storeInfo(context), options);
    assertOfService(store, context.origin);
    return store;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new StorageError(
      context.credential.redact(`${error.message}; connect with another store or cacheDir`),
    );
  }
}

// What a store proves is not asked for again: of another service it would give that one's numbers.
function assertOfService(store: Store, origin: string): void {
  const { service } = store.info.origin;
  if (service === undefined || service === origin) return;
  throw new ContractError(
    `Cannot use the store ${store.path}: it must hold what ${origin} gave, it holds what ${service} ` +
      "gave; connect with another store",
  );
}

function storeInfo({ origin, clock }: PlacesContext) {
  return {
    format: 1,
    kind: "recording",
    description: `Received from ${origin}`,
    // Whether numbers are synthetic is known of each check, and not before the first answer.
    synthetic: false,
    complete: null,
    origin: { service: origin, since: instantOf(clock.now()) },
  } as const;
}
