import { ContractError, ScoreframeError, StorageError, TransportError } from "../../errors.ts";
import type { PlaceObstacle } from "../allowance/admission.ts";
import { AttemptProblem, AttemptRefused } from "./attempt_problem.ts";
import { missingPermission } from "../../disk/missing_permission.ts";
import type { Call } from "./call.ts";
import type { Deadline } from "./deadline.ts";
import type { ExchangeSettings } from "./exchange_settings.ts";
import { placeWords } from "../allowance/obstacle_error.ts";
import type { FailedAttempt } from "./retry.ts";

/** Facts of a call that failed without a refusal. */
export interface FailureContext {
  /** Address and key of the connection. */
  readonly settings: Pick<ExchangeSettings, "origin" | "credential">;
  /** Time of the attempt, if one was made. */
  readonly deadline?: Deadline;
  /** Attempts that were made. */
  readonly attempts?: number;
  /** Place that was not free, if the call still waited for one. */
  readonly full?: PlaceObstacle | null;
}

// The connection was never made, so that no request can have left: codes of the system, of name resolution, of undici.
const NEVER_SENT: readonly string[] = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** Fault, in the terms of the caller; it never holds the key. */
export function callFailure(call: Call, error: unknown, context: FailureContext): unknown {
  const { request, cancelled, total, deadlineMs, timeoutMs } = call;
  const { settings, deadline, attempts = 1, full = null } = context;
  // A body that breaks the contract; a ledger that fails, which is no fault of the network.
  if (error instanceof ContractError || error instanceof StorageError) return error;
  const permission = missingPermission(error);
  if (permission !== null) return new ScoreframeError(`Cannot ${request.action}: ${permission}`);
  const tried = attempts > 1 ? `; tried ${attempts} times` : "";
  const because = (reason: string, cause?: Error) =>
    new TransportError(`Cannot ${request.action}: ${reason}${tried}`, cause && { cause });
  if (error instanceof AttemptProblem) return because(error.message);
  if (cancelled.aborted) return cancelled.reason;
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
  return because(
    `expected a whole answer from ${settings.origin}, got "${cause.message}"; check the address and the network`,
    cause,
  );
}

/** Consequence of a failure for another attempt. */
export function failedAttempt(error: unknown, call: Call): FailedAttempt {
  if (error instanceof AttemptRefused) {
    const { status, body, retryAtMs, downloadsLeft } = error.refusal;
    const { error: code = null, retryable = null } = body ?? {};
    return { status, code, retryable, retryAtMs, downloadsLeft };
  }
  const isFinal = error instanceof ScoreframeError || missingPermission(error) !== null ||
    call.total.signal.aborted ||
    error instanceof AttemptProblem && !error.isTemporary;
  const retryable = isFinal ? false : null;
  return { status: null, code: null, retryable, retryAtMs: null, downloadsLeft: null };
}

/** A failure as the log names it. */
export function problemOf(error: unknown): string {
  if (error instanceof AttemptRefused) return error.refusal.body?.error ?? error.name;
  if (error instanceof AttemptProblem) return "unusable_answer";
  const code = codeOf(error);
  return code ?? (error instanceof Error ? error.name : "error");
}

/** A failure in words, to say why another attempt is waited for. */
export function failureWords(error: unknown): string {
  if (!(error instanceof AttemptRefused)) return `no usable answer came (${problemOf(error)})`;
  const { status, body } = error.refusal;
  return `the service answered ${[status, body?.error].filter(Boolean).join(" ")}`;
}

/** True if the failure is one of connecting, or before, so that the service never heard of the request. */
export function wasNeverSent(error: unknown): boolean {
  return missingPermission(error) !== null ||
    NEVER_SENT.includes(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}

// An allow-list: what a runtime attaches to its network errors may hold the request with its headers.
function plainCause(error: unknown, redact: (text: string) => string): Error {
  if (!(error instanceof Error)) return new Error("an unknown failure");
  const text = [codeOf(error), error.message].filter((part) => part !== null && part !== "");
  return new Error(redact([...new Set(text)].join(": ") || error.name).slice(0, 200));
}
