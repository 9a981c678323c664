import {
  ContractError,
  ScoreframeError,
  StorageError,
  TransportError,
} from "../../../base/errors.ts";
import type { PlaceObstacle } from "../allowance/admission.ts";
import { AttemptProblem, AttemptRefused } from "./attempt_problem.ts";
import { missingPermission } from "../../../base/disk/missing_permission.ts";
import type { Call } from "./call.ts";
import type { Deadline } from "./deadline.ts";
import type { ExchangeSettings } from "./exchange_settings.ts";
import { placeWords } from "../allowance/obstacle_error.ts";
import type { FailedAttempt } from "./retry.ts";

/** Context of a call that failed without a refusal. */
export interface FailureContext {
  /** Address and key of the connection. */
  readonly settings: Pick<ExchangeSettings, "origin" | "credential" | "proxy" | "unheeded">;
  /** Time of the attempt, if one was made. */
  readonly deadline?: Deadline;
  /** Number of attempts. */
  readonly attempts?: number;
  /** Slot for which the call still waited, if any. */
  readonly full?: PlaceObstacle | null;
}

// Codes of the system, of name resolution and of undici for connections that were never made, so that no request was sent.
const NEVER_SENT: readonly string[] = [
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"],
  "UND_ERR_CONNECT_TIMEOUT",
];

// Codes of node:tls and the word of Deno's fetch for a certificate that no authority of this machine vouches for.
const UNTRUSTED =
  /UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|SELF_SIGNED_CERT|UnknownIssuer/;
// undici's words for a proxy that answered the request for a tunnel with another status than 200.
const NO_TUNNEL = /^Proxy response \((\d+)\)/;
// A proxy that asks for a password, or forbids the address, does so again.
const REFUSED_TUNNEL = /^Proxy (response|Authentication Required) \(40[1357]\)/;

/** Error for the caller of a failed call; it never contains the key. */
export function callFailure(call: Call, error: unknown, context: FailureContext): unknown {
  const { request, cancels, total, deadlineMs, timeoutMs } = call;
  const { settings, deadline, attempts = 1, full = null } = context;
  // A body that breaks the contract, or a failing ledger, which is not a network error.
  if (error instanceof ContractError || error instanceof StorageError) return error;
  const permission = missingPermission(error);
  if (permission !== null) return new ScoreframeError(`Cannot ${request.action}: ${permission}`);
  const tried = attempts > 1 ? `; tried ${attempts} times` : "";
  const because = (reason: string, cause?: Error) =>
    new TransportError(`Cannot ${request.action}: ${reason}${tried}`, cause && { cause });
  if (error instanceof AttemptProblem) return because(error.message);
  const cancelled = cancels.find((signal) => signal.aborted);
  if (cancelled !== undefined) return cancelled.reason;
  if (total.isOver) {
    const waited = full === null ? "" : `; nothing was sent, because ${placeWords(full)}`;
    return because(
      `expected the whole call to end within deadlineMs ${deadlineMs}, got no end by then${waited}`,
    );
  }
  if (deadline?.isOver) {
    return because(`expected an answer within timeoutMs ${timeoutMs}, got no complete one`);
  }
  const cause = plainCause(error, (text) => settings.credential.redact(text));
  return because(networkWords(error, cause.message, settings), cause);
}

function networkWords(
  error: unknown,
  found: string,
  { origin, proxy = null, unheeded = null }: FailureContext["settings"],
): string {
  if (isUntrusted(error)) {
    return `expected a certificate of ${origin} by an authority that Deno knows, got "${found}"; if a proxy or your ` +
      "organisation has an authority of its own, start Deno (or Jupyter) with DENO_CERT set to its file (.pem), or " +
      "with DENO_TLS_CA_STORE=system";
  }
  const through = proxy === null ? "" : ` through the proxy ${proxy.shown}`;
  const expected = `expected a complete answer from ${origin}${through}, got "${found}"`;
  if (proxy === null) {
    const hint = unheeded === null ? "" : `; ${unheeded}`;
    return `${expected}; check the address and the network${hint}`;
  }
  if (!/\b407\b/.test(found)) {
    return `${expected}; check the proxy and the address; NO_PROXY names hosts without a proxy`;
  }
  return new URL(proxy.url).username === ""
    ? `${expected}; the proxy asks for a user and a password: write them into the variable, as ` +
      "http://USER:PASSWORD@proxy.example:3128"
    : `${expected}; the proxy refuses the user and the password of the variable: correct them ` +
      "(characters such as @ and : are written as %40 and %3A)";
}

/** Facts about a failure that decide about another attempt. */
export function failedAttempt(error: unknown, call: Call): FailedAttempt {
  if (error instanceof AttemptRefused) {
    const { status, body, retryAtMs, downloadsLeft } = error.refusal;
    const { error: code = null, retryable = null } = body ?? {};
    return { status, code, retryable, retryAtMs, downloadsLeft };
  }
  const isFinal = error instanceof ScoreframeError || missingPermission(error) !== null ||
    isUntrusted(error) || REFUSED_TUNNEL.test(messageOf(error)) || call.total.signal.aborted ||
    error instanceof AttemptProblem && !error.isTemporary;
  const retryable = isFinal ? false : null;
  return { status: null, code: null, retryable, retryAtMs: null, downloadsLeft: null };
}

/** Description of a failure for the log. */
export function problemOf(error: unknown): string {
  if (error instanceof AttemptRefused) return error.refusal.body?.error ?? error.name;
  if (error instanceof AttemptProblem) return "unusable_answer";
  const code = codeOf(error);
  return code ?? (error instanceof Error ? error.name : "error");
}

/** Description of a failure, for the notice of a wait for another attempt. */
export function failureWords(error: unknown): string {
  if (!(error instanceof AttemptRefused)) return `no usable answer arrived (${problemOf(error)})`;
  const { status, body } = error.refusal;
  return `the service answered ${[status, body?.error].filter(Boolean).join(" ")}`;
}

/** True if a request failed before or while connecting, so that the service never received it. */
export function wasNeverSent(error: unknown): boolean {
  return missingPermission(error) !== null || isUntrusted(error) ||
    NO_TUNNEL.test(messageOf(error)) || NEVER_SENT.includes(codeOf(error) ?? "");
}

function isUntrusted(error: unknown): boolean {
  return UNTRUSTED.test(`${codeOf(error)} ${messageOf(error)}`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}

// An allow-list: a runtime's network errors may contain the request with its headers.
function plainCause(error: unknown, redact: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error("an unknown failure");
  const text = [codeOf(error), error.message].filter((part) => part !== null && part !== "");
  return new Error(redact([...new Set(text)].join(": ") || error.name).slice(0, 200));
}
