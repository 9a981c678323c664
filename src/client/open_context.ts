import process from "node:process";
import { watchInterrupt } from "../frames/notebook/kernel/interrupt.ts";
import { AccountExchange } from "./transport/call/account_exchange.ts";
import { type Clock, delay } from "./transport/clock.ts";
import { EventLog, guardLogger } from "./transport/event_log.ts";
import { EXCHANGE_DEFAULTS, type ExchangeDefaults } from "./transport/call/exchange_settings.ts";
import { createFetchSender } from "./transport/wire/fetch_sender.ts";
import type { Exchange } from "./transport/exchange.ts";
import { proxyFor } from "./transport/wire/proxy.ts";
import { createUndiciSender } from "./transport/wire/undici_sender.ts";
import { userAgent } from "./transport/wire/user_agent.ts";
import { checkOptions } from "../base/arguments/check_options.ts";
import { CONNECT_RULES, type ConnectOptions } from "./connect_options.ts";
import { Notices } from "./verb/notices.ts";
import { createCredential, type Credential } from "./transport/wire/credential.ts";
import { type ConnectedAccount, findAccount } from "./find_account.ts";
import { OfflineExchange } from "./verb/offline_exchange.ts";
import { SharedLoads } from "./verb/shared_loads.ts";
import { type OpenStorage, openStorage } from "./open_storage.ts";
import type { ConnectionContext } from "./verb/connection_context.ts";

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

interface ExchangeParts {
  readonly storage: OpenStorage;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly notices: Notices;
  readonly defaults: ExchangeDefaults;
}

/**
 * Opens storage and exchange of a connection.
 *
 * @param about Further facts about the service, as rows of the connection's display
 */
export async function openContext(
  options: ConnectOptions,
  about: readonly (readonly [string, string])[] = [],
): Promise<OpenContext> {
  checkOptions("call connect()", options, CONNECT_RULES);
  const { environment = process.env } = options;
  const account = await findAccount(options, environment);
  const { credential, keyHint, because } = account;
  const { redact } = credential;
  const clock = clockOf(options);
  const storage = await openStorage({ ...account, redact, environment, clock }, options);
  const interrupt = watchInterrupt();
  const logger = options.logger && guardLogger(options.logger);
  const defaults = defaultsOf(options);
  const log = new EventLog(redact, logger);
  const notices = new Notices(credential, logger);
  const parts = { storage, clock, log, notices, defaults };
  const exchange = exchangeOf({ ...options, environment }, account, parts);
  const context: ConnectionContext = {
    ...{ exchange, clock, log, notices, redact, keyHint, interrupt, about },
    ...storage,
    loads: new SharedLoads(),
    reserve: defaults.reserve,
    isOffline: because !== null,
  };
  // Each step is taken though an earlier one failed: an open ledger would keep its file.
  const close = async (settle = () => Promise.resolve()) => {
    interrupt.dispose();
    try {
      await exchange.close();
      await settle();
    } finally {
      await storage.close();
    }
  };
  const renew = (apiKey?: string) => renewKey(exchange, credential, apiKey);
  return { context, account, renew, close };
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
  { storage: { store, ledger }, notices, ...parts }: ExchangeParts,
): Exchange {
  if (because !== null) return new OfflineExchange({ origin, store, because });
  const { fetch, environment } = options;
  const proxy = fetch === undefined ? proxyFor(origin, environment) : null;
  return new AccountExchange({
    ...parts,
    proxy,
    origin,
    credential,
    ledger,
    sender: fetch === undefined ? createUndiciSender(proxy) : createFetchSender(fetch),
    userAgent: options.userAgent ?? userAgent(),
    onWait: (wait) => notices.aboutWait(wait),
  });
}

function clockOf(options: ConnectOptions): Clock {
  return {
    now: options.now ?? Date.now,
    sleep: options.sleep ?? delay,
    random: options.random ?? Math.random,
  };
}

function defaultsOf(options: ConnectOptions): ExchangeDefaults {
  return {
    timeoutMs: options.timeoutMs ?? EXCHANGE_DEFAULTS.timeoutMs,
    deadlineMs: options.deadlineMs ?? EXCHANGE_DEFAULTS.deadlineMs,
    maxRetries: options.maxRetries ?? EXCHANGE_DEFAULTS.maxRetries,
    maxWaitMs: options.maxWaitMs ?? EXCHANGE_DEFAULTS.maxWaitMs,
    reserve: options.reserve ?? EXCHANGE_DEFAULTS.reserve,
  };
}
