import process from "node:process";
import { loadFrameFactory } from "../frame/frame_factory.ts";
import { adoptNotebook } from "../notebook/adopt_notebook.ts";
import { watchInterrupt } from "../notebook/kernel/interrupt.ts";
import { AccountExchange } from "../transport/call/account_exchange.ts";
import { type Clock, sleep } from "../transport/clock.ts";
import { EventLog, guardLogger } from "../transport/event_log.ts";
import {
  assertExchangeOptions,
  EXCHANGE_DEFAULTS,
  type ExchangeDefaults,
} from "../transport/call/exchange_settings.ts";
import { createFetchSender } from "../transport/wire/fetch_sender.ts";
import type { Exchange } from "../transport/exchange.ts";
import type { Sender } from "../transport/wire/sender.ts";
import { createUndiciSender } from "../transport/wire/undici_sender.ts";
import { userAgent } from "../transport/wire/user_agent.ts";
import { checkOptions } from "../arguments/check_options.ts";
import { CONNECT_RULES, type ConnectOptions } from "./connect_options.ts";
import { FactorApi } from "./factor_api.ts";
import { Notices } from "./verb/notices.ts";
import { type Account, findAccount } from "./find_account.ts";
import { OfflineExchange } from "./verb/offline_exchange.ts";
import { SharedLoads } from "./verb/shared_loads.ts";
import { type OpenStorage, openStorage } from "./open_storage.ts";

interface ExchangeParts {
  readonly storage: OpenStorage;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly notices: Notices;
  readonly defaults: ExchangeDefaults;
}

/**
 * Makes what `connect()` gives: storage, exchange and verbs.
 *
 * @param about What else is known of the service, as rows of the connection's display
 */
export async function openConnection(
  options: ConnectOptions,
  about: readonly (readonly [string, string])[] = [],
): Promise<FactorApi> {
  checkOptions("connect()", options, CONNECT_RULES);
  const { environment = process.env } = options;
  assertExchangeOptions(options);
  const account = await findAccount(options, environment);
  const { credential, keyHint, because } = account;
  const { redact } = credential;
  const clock = clockOf(options);
  const storage = await openStorage({ ...account, redact, environment, clock }, options);
  await adoptNotebook(loadFrameFactory);
  const interrupt = watchInterrupt();
  const logger = options.logger && guardLogger(options.logger);
  const defaults = defaultsOf(options);
  const log = new EventLog(credential.redact, logger);
  const notices = new Notices(credential, logger);
  const exchange = exchangeOf(options, account, { storage, clock, log, notices, defaults });
  const shared = { exchange, clock, log, notices, redact, keyHint, interrupt };
  return new FactorApi({
    ...shared,
    ...storage,
    loads: new SharedLoads(),
    reserve: defaults.reserve,
    isOffline: because !== null,
    about,
  }, async (settle) => {
    interrupt.dispose();
    await exchange.close();
    // What is being written needs the store and the ledger to its end.
    await settle();
    await storage.close();
  });
}

function exchangeOf(
  options: ConnectOptions,
  { credential, origin, because }: Account,
  { storage: { store, ledger }, notices, ...parts }: ExchangeParts,
): Exchange {
  if (because !== null) return new OfflineExchange({ origin, store, because });
  return new AccountExchange({
    ...parts,
    origin,
    credential,
    ledger,
    sender: senderOf(options),
    userAgent: options.userAgent ?? userAgent(),
    onWait: (wait) => notices.aboutWait(wait),
  });
}

function senderOf({ fetch }: ConnectOptions): Sender {
  return fetch === undefined ? createUndiciSender() : createFetchSender(fetch);
}

function clockOf(options: ConnectOptions): Clock {
  return {
    now: options.now ?? Date.now,
    sleep: options.sleep ?? sleep,
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
