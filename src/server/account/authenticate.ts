import type { Endpoint } from "../../base/contract/http/endpoint.ts";
import {
  type KeyEnvironment,
  keyEnvironmentOf,
  type KeyIssuer,
  keyIssuerOf,
} from "../../base/contract/key.ts";
import { activeFactors, type Grant } from "./accounts.ts";
import { Refusal } from "../message/refusal.ts";

// RFC 9110, section 11.1: the scheme is case-insensitive, one or more blanks follow.
const BEARER = /^bearer +([\x21-\x7e]+)$/i;
const REALM = 'Bearer realm="research-factor-score-api"';

/** Valid keys. */
export interface KeyRing {
  /** Issuer of the keys. */
  readonly issuer: KeyIssuer;
  /** Account and key of a presented key, or `null`. */
  find(presentedKey: string): Grant | null;
}

/** A presented key, with time and environment. */
export interface Presented {
  /** Value of the Authorization header. */
  readonly authorization: string | null;
  /** Server time, epoch milliseconds. */
  readonly nowMs: number;
  /** Environment of the server; `null` if keys of both are valid. */
  readonly environment: KeyEnvironment | null;
}

/**
 * Authenticates the key of a request.
 *
 * All refusals are equal, so that clients cannot find out if a key was ever valid; the journal records the reason.
 *
 * @throws {Refusal} 401 `unauthorized`
 * @see API document, section 5
 */
export function authenticate(keys: KeyRing, presented: Presented): Grant {
  const { authorization, nowMs, environment } = presented;
  if (authorization === null) return refuse("no Authorization header", false);
  const key = BEARER.exec(authorization)?.[1];
  if (key === undefined) return refuse("the Authorization header is not a Bearer key", false);
  const issuedBy = keyEnvironmentOf(key);
  if (issuedBy === null || keyIssuerOf(key) !== keys.issuer) {
    const prefix = keys.issuer === "relay" ? "relay" : "svc";
    return refuse(`the key does not begin with ${prefix}_live_ or ${prefix}_test_`, true);
  }
  if (environment !== null && issuedBy !== environment) {
    return refuse(`a ${issuedBy} key does not work with the ${environment} environment`, true);
  }
  const grant = keys.find(key);
  if (grant === null) return refuse("no account has this key", true);
  if (nowMs >= grant.key.revokedAtMs) {
    return refuse(`the key of "${grant.account.id}" was revoked`, true);
  }
  if (nowMs >= grant.key.expiresAtMs) {
    return refuse(`the key of "${grant.account.id}" has expired`, true);
  }
  return grant;
}

/**
 * Checks the scope of the key, and that its account has a subscription.
 *
 * @throws {Refusal} 403 `insufficient_scope` or `subscription_required`
 */
export function authorize(grant: Grant, endpoint: Endpoint, nowMs: number): void {
  if (!grant.key.scopes.has(endpoint.scope)) {
    throw new Refusal(
      "insufficient_scope",
      `The key may not use ${endpoint.path}: the scope "${endpoint.scope}" is required`,
    );
  }
  if (activeFactors(grant.account, nowMs).length === 0) {
    throw new Refusal("subscription_required", "The account has no active factor subscription");
  }
}

function refuse(note: string, presentedKey: boolean): never {
  // RFC 6750, section 3.1: without credentials the challenge has no error code.
  const challenge = presentedKey ? `${REALM}, error="invalid_token"` : REALM;
  const message = "A valid API key is required: Authorization: Bearer <API_KEY>";
  throw new Refusal("unauthorized", message, { headers: [["WWW-Authenticate", challenge]], note });
}
