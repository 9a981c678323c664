import process from "node:process";
import { loadFrameFactory } from "../frame/frame_factory.ts";
import { askKey } from "../notebook/ask_key.ts";
import { adoptNotebook } from "../notebook/adopt_notebook.ts";
import { watchInterrupt } from "../notebook/kernel/interrupt.ts";
import { AccountExchange } from "../transport/call/account_exchange.ts";
import { parseBaseUrl } from "../transport/wire/base_url.ts";
import { type Clock, sleep } from "../transport/clock.ts";
import { createCredential } from "../transport/wire/credential.ts";
import { EventLog, guardLogger } from "../transport/event_log.ts";
import {
  assertExchangeOptions,
  EXCHANGE_DEFAULTS,
  type ExchangeDefaults,
} from "../transport/call/exchange_settings.ts";
import { createFetchSender } from "../transport/wire/fetch_sender.ts";
import type { Sender } from "../transport/wire/sender.ts";
import { createUndiciSender } from "../transport/wire/undici_sender.ts";
import { userAgent } from "../transport/wire/user_agent.ts";
import { checkOptions } from "../arguments/check_options.ts";
import { CONNECT_RULES, type ConnectOptions } from "./connect_options.ts";
import { FactorApi } from "./factor_api.ts";
import { Notices } from "./verb/notices.ts";
import { SharedLoads } from "./verb/shared_loads.ts";
import { openStorage } from "./open_storage.ts";

// A name that no network resolves: with a given fetch nothing is sent anywhere.
const EMBEDDED_URL = "http://embedded.localhost";

/**
 * Makes what `connect()` gives: places, exchange and verbs.
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
  const credential = createCredential(findKey(options, environment));
  const origin = parseBaseUrl(findBaseUrl(options, environment), credential);
  const clock = clockOf(options);
  const places = await openStorage({ credential, origin, environment, clock }, options);
  await adoptNotebook(loadFrameFactory);
  const interrupt = watchInterrupt();
  const logger = options.logger && guardLogger(options.logger);
  const defaults = defaultsOf(options);
  const log = new EventLog(credential.redact, logger);
  const notices = new Notices(credential, logger);
  const exchange = new AccountExchange({
    origin,
    credential,
    sender: senderOf(options),
    ledger: places.ledger,
    clock,
    log,
    userAgent: options.userAgent ?? userAgent(),
    defaults,
    onWait: (wait) => notices.aboutWait(wait),
  });
  const { redact, masked: keyHint } = credential;
  const { reserve } = defaults;
  const loads = new SharedLoads();
  const shared = { exchange, clock, log, notices, loads, redact, keyHint, reserve, interrupt };
  return new FactorApi({ ...shared, ...places, about }, async (settle) => {
    interrupt.dispose();
    await exchange.close();
    // What is being written needs the store and the ledger to its end.
    await settle();
    await places.close();
  });
}

function senderOf({ fetch }: ConnectOptions): Sender {
  return fetch === undefined ? createUndiciSender() : createFetchSender(fetch);
}

function findKey(
  { apiKey, askForKey = false }: ConnectOptions,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const given = [apiKey, environment.SCOREFRAME_API_KEY].map((key) => key?.trim() ?? "");
  const key = given.find((candidate) => candidate !== "") ?? (askForKey ? askKey() : null);
  if (key !== null) return key;
  const asked = askForKey ? "nothing was typed in, or this front end cannot ask" : "there is none";
  const ask = askForKey ? "or pass apiKey" : "pass apiKey, or askForKey: true to type it in";
  throw new TypeError(
    `Cannot connect: an API key is required, ${asked}; set SCOREFRAME_API_KEY in the ` +
      `environment, ${ask}; demo() needs no key`,
  );
}

function findBaseUrl(
  { baseUrl, fetch }: ConnectOptions,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const given = baseUrl || (fetch === undefined ? environment.SCOREFRAME_URL : EMBEDDED_URL);
  if (given) return given;
  throw new TypeError(
    "Cannot connect: the base address of the service is required, there is none; set " +
      "SCOREFRAME_URL in the environment or pass baseUrl; demo() needs no address",
  );
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
