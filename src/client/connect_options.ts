import type { Clock } from "./transport/clock.ts";
import type { Logger } from "./transport/event_log.ts";
import { EXCHANGE_RULES, type ExchangeOptions } from "./transport/exchange.ts";
import {
  anyFunction,
  FILLED,
  FLAG,
  objectLike,
  type OptionRules,
  TEXT,
} from "../base/arguments/check_options.ts";
import { describe } from "../base/contract/violation.ts";
import type { Environment } from "../base/runtime/state_home.ts";

/** Options of a connection to the service. */
export interface ConnectOptions extends Omit<ExchangeOptions, "signal">, Partial<Clock> {
  /**
   * The API key. An empty string counts as not given.
   *
   * @default the environment variable SCOREFRAME_API_KEY
   */
  readonly apiKey?: string;
  /**
   * Asks for the key, with masked input, if none is given.
   *
   * @default false
   */
  readonly askForKey?: boolean;
  /**
   * Base address of the service, without `/v1`. The proxy that HTTPS_PROXY or HTTP_PROXY names is used, except for this machine
   * and the hosts of NO_PROXY.
   *
   * @default the environment variable SCOREFRAME_URL; without it, a `fetch` has http://embedded.localhost, which takes no
   * production key
   */
  readonly baseUrl?: string;
  /**
   * Answers from the store alone: nothing is sent, no socket is opened, and a request that the store cannot answer is refused.
   * Needs no key and, with a `store`, no address.
   *
   * @default true if the environment variable SCOREFRAME_OFFLINE is 1, true, yes or on, and no `fetch` is given
   */
  readonly offline?: boolean;
  /**
   * Name of the account, for an account with several keys: all connections with the same name count in one ledger.
   *
   * @default the key, so that each key has a ledger of its own
   */
  readonly account?: string;
  /**
   * The `fetch` of an embedded server, which answers requests instead of the network.
   *
   * @default undici over the network
   */
  readonly fetch?: (request: Request) => Promise<Response>;
  /**
   * Folder of the store, which receives every answer first and answers what it proves: a store, or an empty or new folder that
   * becomes one. `~` is not expanded.
   *
   * @default one folder per service in `cacheDir`; for a given `fetch` or a service on this machine a temporary one, because
   * the same address may serve different worlds
   */
  readonly store?: string;
  /**
   * Folder of the default store and of the ledger, in which all notebooks of an account count requests and downloads.
   *
   * @default `scoreframe` in XDG_CACHE_HOME or ~/.cache; with a given `fetch` the ledger is in memory
   */
  readonly cacheDir?: string;
  /**
   * Receives every attempt (`debug`), and notices and waits of three seconds or more (`warn`).
   *
   * @default attempts are kept for `log()`; notices appear under the notebook cell, and elsewhere as process warnings
   */
  readonly logger?: Logger;
  /**
   * Value of the `User-Agent` header.
   *
   * @default name and version of library and runtime
   */
  readonly userAgent?: string;
  /**
   * Environment variables.
   *
   * @default those of the process
   */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const { signal: _, ...PATIENCE_RULES } = EXCHANGE_RULES;

/** Accepted options of `connect()`. */
export const CONNECT_RULES: OptionRules<ConnectOptions> = {
  apiKey: { ...TEXT, example: '"svc_live_…"' },
  askForKey: FLAG,
  baseUrl: TEXT,
  offline: FLAG,
  // An empty name is usually an unset variable, and would put all accounts into one ledger.
  account: FILLED,
  fetch: anyFunction(),
  store: TEXT,
  cacheDir: TEXT,
  logger: objectLike(),
  userAgent: TEXT,
  environment: objectLike(),
  ...PATIENCE_RULES,
  now: anyFunction(),
  sleep: anyFunction(),
  random: anyFunction(),
};

const YES: readonly string[] = ["1", "true", "yes", "on"];
const NO: readonly string[] = ["", "0", "false", "no", "off"];

/**
 * Reads an environment variable as a switch, which is off if it is not set.
 *
 * @throws {TypeError} If its value is neither; a misread safety switch would be off silently
 */
export function readSwitch(name: string, environment: Environment): boolean {
  const given = environment[name] ?? "";
  const value = given.trim().toLowerCase();
  if (YES.includes(value)) return true;
  if (NO.includes(value)) return false;
  throw new TypeError(
    `Cannot connect: expected ${name} to be 1, true, yes or on, or 0, false, no or off, got ` +
      `${describe(given)}; set one of these values, or unset it`,
  );
}
