import { createHash } from "node:crypto";
import { askKey } from "../frames/notebook/ask_key.ts";
import { Store } from "../base/store/store.ts";
import { parseBaseUrl } from "./transport/wire/base_url.ts";
import { readSwitch } from "./read_switch.ts";
import { createCredential, type Credential } from "./transport/wire/credential.ts";
import type { Environment } from "../base/runtime/state_home.ts";
import type { ConnectOptions } from "./connect_options.ts";

// The address of a given fetch without another one. No network resolves it, and a production key never goes there: that
// needs the address of its service.
const EMBEDDED_URL = "http://embedded.localhost";
// Stands for the key of an offline connection without one; it is never sent.
const NO_KEY = "svc_test_none";

/** Account and service of a connection. */
export interface ConnectedAccount {
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
export async function findAccount(
  options: ConnectOptions,
  environment: Environment,
): Promise<ConnectedAccount> {
  const because = offlineReason(options, environment);
  const circumstances = { environment, isOffline: because !== null };
  const key = findKey(options, circumstances);
  const credential = createCredential(key ?? NO_KEY);
  const baseUrl = await findBaseUrl(options, { ...circumstances, credential });
  const origin = parseBaseUrl(baseUrl, credential);
  const accountHash = options.account === undefined
    ? key && credential.accountHash
    : accountHashOf(options.account);
  return {
    credential,
    keyHint: key === null ? "none" : credential.masked,
    accountHash,
    origin,
    because,
  };
}

interface Circumstances {
  readonly environment: Environment;
  readonly isOffline: boolean;
}

// The variable does not apply to a given fetch, which is not the network: a demo still works.
function offlineReason(
  { offline, fetch }: ConnectOptions,
  environment: Environment,
): string | null {
  if (offline !== undefined) return offline ? "offline: true" : null;
  const isAsked = readSwitch("SCOREFRAME_OFFLINE", environment);
  return isAsked && fetch === undefined
    ? `SCOREFRAME_OFFLINE=${environment.SCOREFRAME_OFFLINE!.trim()}`
    : null;
}

function findKey(
  { apiKey, askForKey = false }: ConnectOptions,
  { environment, isOffline }: Circumstances,
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

async function findBaseUrl(
  { baseUrl, fetch, store }: ConnectOptions,
  { environment, isOffline, credential }: Circumstances & { readonly credential: Credential },
): Promise<string> {
  const given = baseUrl || environment.SCOREFRAME_URL;
  if (given) return given;
  if (fetch !== undefined && credential.environment !== "production") return EMBEDDED_URL;
  const service = isOffline && store !== undefined && (await Store.open(store)).info.origin.service;
  if (typeof service === "string") return service;
  throw new TypeError(
    "Cannot connect: expected the base address of the service, got none; set " +
      "SCOREFRAME_URL in the environment or pass baseUrl; demo() needs no address",
  );
}

function accountHashOf(account: string): string {
  return createHash("sha256").update(`scoreframe account name\n${account.trim()}`).digest("hex")
    .slice(0, 16);
}
