import process from "node:process";
import { watchInterrupt } from "../frames/notebook/kernel/interrupt.ts";
import { AccountExchange } from "./transport/call/account_exchange.ts";
import { delay } from "./transport/clock.ts";
import { EventLog, guardLogger } from "./transport/event_log.ts";
import { EXCHANGE_DEFAULTS, type ExchangeDefaults } from "./transport/call/exchange_settings.ts";
import { createFetchSender } from "./transport/wire/sender.ts";
import type { Exchange, ExchangeRequest } from "./transport/exchange.ts";
import { proxyFor, unheededProxy } from "./transport/wire/proxy.ts";
import { createUndiciSender } from "./transport/wire/undici_sender.ts";
import { checkOptions } from "../base/arguments/check_options.ts";
import { CONNECT_RULES, type ConnectOptions, readSwitch } from "./connect_options.ts";
import { Notices } from "./verb/notices.ts";
import { createCredential, type Credential } from "./transport/wire/credential.ts";
import { SharedLoads } from "./verb/shared_loads.ts";
import { type OpenStorage, openStorage } from "./open_storage.ts";
import { type ConnectionContext, limitsOf } from "./verb/connection_context.ts";
import { askKey } from "../frames/notebook/ask_key.ts";
import { sha256Hex } from "../base/store/layout.ts";
import { Store } from "../base/store/store.ts";
import { parseBaseUrl } from "./transport/wire/base_url.ts";
import type { Environment } from "../base/runtime/state_home.ts";
import { PACKAGE_VERSION } from "../base/contract/limits.ts";
import { isFactor } from "../base/contract/factor.ts";
import { TransportError } from "../base/errors.ts";

// The address of a given fetch without another one. No network resolves it, and a production key never goes there: that
// needs the address of its service.
const EMBEDDED_URL = "http://embedded.localhost";

// Stands for the key of an offline connection without one; it is never sent.
const NO_KEY = "svc_test_none";

/** An open connection without its verbs. */
export interface OpenContext {
  /** State that verbs share. */
  readonly context: ConnectionContext;
  /** Account and service. */
  readonly account: ConnectedAccount;
  /**
   * Sends with another key of the account from now on, or with the same one again after it was refused.
   *
   * @throws {TypeError} If it is no key, or of the other environment
   */
  renew(apiKey?: string): void;
  /**
   * Ends requests in flight, and then closes store and ledger.
   *
   * @param settle Waits for writes in progress, which need both
   */
  close(settle?: () => Promise<void>): Promise<void>;
}

/**
 * Opens storage and exchange of a connection.
 *
 * @param about Further facts about the service, as rows of the connection's display
 * @param accountOf Finds the account of a key that is not named, by the service and the hash of the key
 */
export async function openContext(
  options: ConnectOptions,
  about: readonly (readonly [string, string])[] = [],
  accountOf?: (origin: string, keyHash: string) => Promise<string>,
): Promise<OpenContext> {
  checkOptions("call connect()", options, CONNECT_RULES);
  const { environment = process.env } = options;
  const account = await findAccount(options, environment, accountOf);
  const { credential, keyHint, because } = account;
  const { redact } = credential;
  const { now = Date.now, sleep = delay, random = Math.random } = options;
  const clock = { now, sleep, random };
  const storage = await openStorage({ ...account, redact, environment, clock }, options);
  const interrupt = watchInterrupt();
  const logger = options.logger && guardLogger(options.logger);
  const defaults: ExchangeDefaults = { ...EXCHANGE_DEFAULTS, ...limitsOf(options) };
  const log = new EventLog(redact, logger);
  const notices = new Notices(credential, logger);
  const parts = { storage, clock, log, notices, defaults };
  const exchange = exchangeOf({ ...options, environment }, account, parts);
  const context: ConnectionContext = {
    exchange,
    clock,
    log,
    notices,
    redact,
    keyHint,
    interrupt,
    about,
    ...storage,
    loads: new SharedLoads(),
    reserve: defaults.reserve,
    isOffline: because !== null,
  };
  const close = (settle?: () => Promise<void>) => closeContext(context, storage, settle);
  const renew = (apiKey?: string) => renewKey(exchange, credential, apiKey);
  return { context, account, renew, close };
}

// Each step is taken though an earlier one failed: an open ledger would keep its file.
async function closeContext(
  { interrupt, exchange }: ConnectionContext,
  storage: { close(): Promise<void> },
  settle = () => Promise.resolve(),
): Promise<void> {
  interrupt.dispose();
  try {
    await exchange.close();
    await settle();
  } finally {
    await storage.close();
  }
}

function renewKey(exchange: Exchange, credential: Credential, apiKey?: string): void {
  const renewed = apiKey === undefined ? credential : createCredential(apiKey);
  if (renewed.environment !== credential.environment) {
    throw new TypeError(
      `Cannot take another key: expected one of the ${credential.environment} environment, got one of the ` +
        `${renewed.environment} one; restart to change the service`,
    );
  }
  if (exchange instanceof AccountExchange) exchange.renew(renewed);
}

function exchangeOf(
  options: ConnectOptions & Required<Pick<ConnectOptions, "environment">>,
  { credential, origin, because }: ConnectedAccount,
  { storage: { store, ledger }, notices, ...parts }:
    & Pick<ConnectionContext, "clock" | "log" | "notices">
    & { readonly storage: OpenStorage; readonly defaults: ExchangeDefaults },
): Exchange {
  if (because !== null) return offlineExchange(origin, store, because);
  const { fetch, environment } = options;
  const proxy = fetch === undefined ? proxyFor(origin, environment) : null;
  return new AccountExchange({
    ...parts,
    proxy,
    unheeded: fetch === undefined && proxy === null ? unheededProxy(environment) : null,
    origin,
    credential,
    ledger,
    sender: fetch === undefined ? createUndiciSender(proxy) : createFetchSender(fetch),
    userAgent: options.userAgent ?? userAgent(),
    onWait: (wait) => notices.aboutWait(wait),
  });
}

/** Account and service of a connection. */
interface ConnectedAccount {
  /** The key. */
  readonly credential: Credential;
  /** Part of the key that may be shown. */
  readonly keyHint: string;
  /** Hash that identifies the account in the ledger; `null` without a key. */
  readonly accountHash: string | null;
  /** Base address of the service. */
  readonly origin: string;
  /** Setting that made the connection offline; `null` for an online connection. */
  readonly because: string | null;
}

/**
 * Finds key and address in the options and the environment.
 *
 * @throws {TypeError} If there is no key or no address, unless the connection is offline and its store names the service
 */
async function findAccount(
  options: ConnectOptions,
  environment: Environment,
  accountOf = (_: string, keyHash: string) => Promise.resolve(keyHash),
): Promise<ConnectedAccount> {
  const because = offlineReason(options, environment);
  const isOffline = because !== null;
  const key = findKey(options, environment, isOffline);
  const credential = createCredential(key ?? NO_KEY);
  const isProduction = credential.environment === "production";
  const baseUrl = options.baseUrl || environment.SCOREFRAME_URL ||
    await ownAddress(options, isOffline, isProduction);
  const origin = parseBaseUrl(baseUrl, credential);
  const accountHash = options.account === undefined
    ? key && await accountOf(origin, credential.accountHash)
    : sha256Hex(`scoreframe account name\n${options.account.trim()}`).slice(0, 16);
  const keyHint = key === null ? "none" : credential.masked;
  return { credential, keyHint, accountHash, origin, because };
}

// The variable does not apply to a given fetch, which is not the network: a demo still works.
function offlineReason({ offline, fetch }: ConnectOptions, environment: Environment) {
  if (offline !== undefined) return offline ? "offline: true" : null;
  const isAsked = readSwitch("SCOREFRAME_OFFLINE", environment);
  return isAsked && fetch === undefined
    ? `SCOREFRAME_OFFLINE=${environment.SCOREFRAME_OFFLINE!.trim()}`
    : null;
}

function findKey(
  { apiKey, askForKey = false }: ConnectOptions,
  environment: Environment,
  isOffline: boolean,
): string | null {
  const given = [apiKey, environment.SCOREFRAME_API_KEY].map((key) => key?.trim() ?? "");
  const key = given.find((candidate) => candidate !== "") ??
    (askForKey && !isOffline ? askKey() : null);
  if (key !== null || isOffline) return key;
  const asked = askForKey ? " (nothing was typed, or this front end cannot ask)" : "";
  const ask = askForKey ? "or pass apiKey" : "pass apiKey, or askForKey: true to type it";
  throw new TypeError(
    `Cannot connect: expected an API key, got none${asked}; set SCOREFRAME_API_KEY in the ` +
      `environment, ${ask}; demo() needs no key`,
  );
}

// The address of a connection that is given none.
async function ownAddress(
  { fetch, store }: ConnectOptions,
  isOffline: boolean,
  isProduction: boolean,
): Promise<string> {
  if (fetch !== undefined && !isProduction) return EMBEDDED_URL;
  const service = isOffline && store !== undefined && (await Store.open(store)).info.origin.service;
  if (typeof service === "string") return service;
  throw new TypeError(
    "Cannot connect: expected the base address of the service, got none; set " +
      "SCOREFRAME_URL in the environment or pass baseUrl; demo() needs no address",
  );
}

/** `User-Agent` of the library: its version and the runtime's. */
function userAgent(): string {
  const { deno, node } = process.versions;
  const runtime = deno === undefined ? `node/${node}` : `deno/${deno}`;
  return `scoreframe/${PACKAGE_VERSION} ${runtime} (${process.platform}; ${process.arch})`;
}

/**
 * Exchange of an offline connection for the store of a service: refuses every request with an error that lists what the store has, and opens no socket.
 */
function offlineExchange(origin: string, store: Store, because: string): Exchange {
  const send = async (request: ExchangeRequest): Promise<never> => {
    throw new TransportError(
      `Cannot ${request.action}: expected a connection to the service, got an offline one ` +
        `(${because}); ${await adviceFor(request, store)}`,
    );
  };
  return { origin, send, sendIfNeeded: send, open: send, close: () => Promise.resolve() };
}

async function adviceFor({ path, endpoint }: ExchangeRequest, store: Store): Promise<string> {
  const factor = new URLSearchParams(path.split("?")[1]).get("factor") ?? "";
  if (endpoint !== "scores" || !isFactor(factor)) return "load it over the network";
  const checks = await store.listChecks(factor);
  const [first, last] = [checks.at(0), checks.at(-1)];
  if (first === undefined || last === undefined) {
    return `the store ${store.path} has no ${factor} check, so load it over the network`;
  }
  return `the store ${store.path} has ${checks.length} ${factor} checks, from ${first.lastCheckedAt} to ` +
    `${last.lastCheckedAt}; at: "${last.lastCheckedAt}" returns the last of them`;
}
